#include "evaluation/network.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>

namespace othellier {

namespace {

constexpr int kClip = 255;       // of every sum, in 1/64
constexpr int kWeightShift = 8;  // weights are in 1/256

// A payload's bytes as rows of small vectors.
template <typename Rows>
void read_rows(Reader& in, Rows& rows, std::size_t count) {
    const auto bytes = in.take(count * sizeof(rows[0]));
    rows.resize(count);
    std::memcpy(rows.data(), bytes.data(), bytes.size());
}

}  // namespace

template <int inputs, int outputs>
void Networks::Layer<inputs, outputs>::read(Reader& in) {
    constexpr int kLanes = kRegister / 4;
    const auto numbers = in.numbers<std::int16_t>(inputs * outputs);
    const auto outs = in.numbers<std::int16_t>(outputs);
    const auto sums = in.numbers<std::int32_t>(outputs);
    out = {};
    for (int n = 0; n < outputs; ++n) {
        const int part = n / kLanes, lane = n % kLanes;
        for (int i = 0; i < inputs; ++i) weights[i / 2][part][2 * lane + i % 2] = numbers[i * outputs + n];
        out[part][2 * lane] = outs[n];
        if (std::abs(sums[n] / 2) >= 1 << 28)
            throw WeightsError("the biases of the networks leave no room for sums");
        biases[part][lane] = sums[n];
    }
}

template <int inputs, int outputs>
auto Networks::Layer<inputs, outputs>::neurons(const std::array<std::int32_t, inputs / 2>& pairs) const
    -> Neurons {
    Neurons found;
    for (int p = 0; p < kParts; ++p) {
        Words some = biases[p], others{};
        for (int i = 0; i < inputs / 2; i += 2) {
            some += pair_products(std::bit_cast<Shorts>(Words{} + pairs[i]), weights[i][p]);
            others += pair_products(std::bit_cast<Shorts>(Words{} + pairs[i + 1]), weights[i + 1][p]);
        }
        found[p] = some + others;
    }
    return found;
}

Networks::Networks(std::span<const std::byte> payload) {
    Reader in(payload);
    const auto shape = in.numbers<std::uint16_t>(4);
    if (shape != std::vector<std::uint16_t>{kWidth, kHidden, kSecond, kHeads})
        throw WeightsError("the networks are of another shape than this program's");
    read(in);
    const auto kinds = in.numbers<std::uint8_t>(64);
    std::copy(kinds.begin(), kinds.end(), kinds_.begin());
    if (std::any_of(kinds.begin(), kinds.end(), [](int kind) { return kind >= kKinds; }))
        throw WeightsError("the networks know a kind of square that there is not");

    // 1. The value network.
    read_rows(in, rows_, static_cast<std::size_t>(entries_) + 3 * kCounts);
    rows_.push_back(Row{});
    std::fill(std::begin(middles_), std::end(middles_), entries_ + 3 * kCounts);
    std::copy(offsets_, offsets_ + feature_count_, middles_);
    heads_.resize(kHeads);
    for (Head& head : heads_) {
        head.first.read(in);
        head.second.read(in);
    }

    // 2. The policy network, where it is there: for each type of pattern a block of rows for each place in
    // it.
    if (in.done()) return;
    std::int32_t block = 0;
    for (int k = 0; k < feature_count_; ++k) {
        const int places = static_cast<int>(squares_[k].size()), entries = power_of_three(places);
        for (int place = 0; place < places; ++place)
            places_[squares_[k][place]].push_back({k, block + place * entries + entries / 2});
        if (k + 1 == feature_count_ || offsets_[k + 1] != offsets_[k]) block += places * entries;
    }
    kind_rows_ = block;
    read_rows(in, policy_rows_, static_cast<std::size_t>(block) + kKinds * kCounts);
    policy_weights_ = in.numbers<std::int16_t>(kPhases * kKinds * 2 * kPolicyWidth);
    in.end();
}

int Networks::value(const Features& features, int empties, int moves, int opponent_moves) const {
    // 1. The sums. Addresses first and a fixed number of rows: the loop is then two loads and an addition.
    constexpr int kChunk = std::gcd(kWidth, kWidened), kChunks = kWidth / kChunk;
    using Sums = Lanes<std::int16_t, kChunk>;
    const auto index = features.indices();
    std::uint32_t at[kMaxFeatures];
    for (int k = 0; k < kMaxFeatures; ++k)
        at[k] = static_cast<std::uint32_t>(middles_[k] + index[k]) * sizeof(Row);
    const Row* counts = rows_.data() + entries_;
    const auto* base = reinterpret_cast<const std::int8_t*>(rows_.data());
    const auto clipped = [](Sums part) { return part < 0 ? Sums{} : part > kClip ? Sums{} + kClip : part; };
    Sums parts[2 * kChunks];  // the positive ones, then the negative
    for (int c = 0; c < kChunks; ++c) {
        const auto chunk = [c](const std::int8_t* row) { return widened<kChunk>(row + c * kChunk); };
        Sums some = chunk(counts[moves].data()) + chunk(counts[kCounts + opponent_moves].data());
        Sums others = chunk(counts[2 * kCounts + empties].data());
        for (int k = 0; k < kMaxFeatures; k += 2) {
            some += chunk(base + at[k]);
            others += chunk(base + at[k + 1]);
        }
        some += others;
        parts[c] = clipped(some);
        parts[kChunks + c] = clipped(-some);
    }

    // 2. The first layer; its last neuron is an output itself.
    const Head& head = heads_[std::min(empties, kHeads - 1)];
    std::array<std::int32_t, kWidth> pairs;
    static_assert(sizeof pairs == sizeof parts);
    __builtin_memcpy(pairs.data(), parts, sizeof pairs);
    auto neurons = head.first.neurons(pairs);
    int value = neurons.back()[kRegister / 4 - 1];

    // 3. What the neurons, clipped, add to the value, and the second layer makes of them.
    Words outputs{};
    const auto finish = [&outputs](auto& layer, Words& neuron, int part) {
        neuron = (neuron + (1 << (kWeightShift - 1))) >> kWeightShift;
        neuron = neuron < 0 ? Words{} : neuron > kClip ? Words{} + kClip : neuron;
        outputs += pair_products(std::bit_cast<Shorts>(neuron), layer.out[part]);
    };
    std::array<std::int32_t, kHidden / 2> hidden;
    for (std::size_t p = 0; p < neurons.size(); ++p) {
        finish(head.first, neurons[p], static_cast<int>(p));
        const auto narrow = __builtin_convertvector(neurons[p], Lanes<std::int16_t, kRegister / 4>);
        __builtin_memcpy(hidden.data() + p * kRegister / 8, &narrow, sizeof narrow);
    }
    auto second = head.second.neurons(hidden);
    for (std::size_t p = 0; p < second.size(); ++p) finish(head.second, second[p], static_cast<int>(p));
    for (int n = 0; n < kRegister / 4; ++n) value += outputs[n];
    return value;
}

int Networks::score(const Features& features, int empties, int square) const {
    using Sums = Lanes<std::int32_t, kPolicyWidth>;
    const auto add = [this](Sums& sums, int row) {
        sums += __builtin_convertvector(policy_rows_[row], Sums);
    };
    const int kind = kinds_[square];
    Sums sums{};
    add(sums, kind_rows_ + kCounts * kind + empties);
    const auto index = features.indices();
    for (const Place& place : places_[square]) add(sums, place.offset + index[place.feature]);
    const std::int16_t* weights =
        policy_weights_.data() + (policy_phase(empties) * kKinds + kind) * 2 * kPolicyWidth;
    int score = 0;
    for (int i = 0; i < kPolicyWidth; ++i) {
        const int sum = sums[i];
        score += weights[sum < 0 ? kPolicyWidth + i : i] * std::min(sum < 0 ? -sum : sum, kClip);
    }
    return score;
}

}  // namespace othellier
