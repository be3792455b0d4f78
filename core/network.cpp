#include "network.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace othellier {

namespace {

constexpr int kClip = 255;       // of every sum, in 1/64
constexpr int kWeightShift = 8;  // weights are in 1/256

// A payload's bytes as rows of small vectors.
template <typename Row>
std::vector<Row> rows(Reader& in, std::size_t count) {
    const auto bytes = in.take(count * sizeof(Row));
    std::vector<Row> found(count);
    std::memcpy(found.data(), bytes.data(), bytes.size());
    return found;
}

}  // namespace

Networks::Networks(std::span<const std::byte> payload) {
    Reader in(payload);
    read(in);
    const auto kinds = in.numbers<std::uint8_t>(64);
    std::copy(kinds.begin(), kinds.end(), kinds_.begin());
    if (std::any_of(kinds.begin(), kinds.end(), [](int kind) { return kind >= kKinds; }))
        throw WeightsError("the networks know a kind of square that there is not");

    // 1. The value network.
    rows_ = rows<Row>(in, static_cast<std::size_t>(entries_) + 3 * kCounts);
    rows_.push_back(Row{});
    std::fill(std::begin(middles_), std::end(middles_), entries_ + 3 * kCounts);
    std::copy(offsets_, offsets_ + feature_count_, middles_);
    heads_.resize(kPhases);
    constexpr int kLanes = kRegister / 4;
    for (Head& head : heads_) {
        head.out = {};
        const auto weights = in.numbers<std::int16_t>(2 * kWidth * kHidden);
        const auto out = in.numbers<std::int16_t>(kHidden);
        const auto biases = in.numbers<std::int32_t>(kHidden);
        for (int n = 0; n < kHidden; ++n) {
            const int part = n / kLanes, lane = n % kLanes;
            for (int i = 0; i < 2 * kWidth; ++i)
                head.weights[i / 2][part][2 * lane + i % 2] = weights[i * kHidden + n];
            head.out[part][2 * lane] =
                n == kHidden - 1 ? std::int16_t{0} : out[n];  // the last neuron is an output itself
            if (std::abs(biases[n] / 2) >= 1 << 29)
                throw WeightsError("the biases of the networks leave no room for sums");
            head.biases[part][lane] = biases[n];
        }
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
    policy_rows_ = rows<PolicyRow>(in, static_cast<std::size_t>(block) + kKinds * kCounts);
    policy_weights_ = in.numbers<std::int16_t>(kPhases * kKinds * 2 * kPolicyWidth);
    in.end();
}

int Networks::value(const Features& features, int empties, int moves, int opponent_moves) const {
    // 1. The sums. Addresses first and a fixed number of rows: the loop is then two loads and an addition.
    constexpr int kChunks = kWidth / kWidened;
    using Sums = Lanes<std::int16_t, kWidened>;
    const auto index = features.indices();
    std::uint32_t at[kMaxFeatures];
    for (int k = 0; k < kMaxFeatures; ++k)
        at[k] = static_cast<std::uint32_t>(middles_[k] + index[k]) * sizeof(Row);
    const Row* counts = rows_.data() + entries_;
    const auto* base = reinterpret_cast<const std::int8_t*>(rows_.data());
    Sums sums[kChunks];
    for (int c = 0; c < kChunks; ++c) {
        const auto chunk = [c](const std::int8_t* row) { return widened(row + c * kWidened); };
        Sums some = chunk(counts[moves].data()) + chunk(counts[kCounts + opponent_moves].data());
        Sums others = chunk(counts[2 * kCounts + empties].data());
        for (int k = 0; k < kMaxFeatures; k += 2) {
            some += chunk(base + at[k]);
            others += chunk(base + at[k + 1]);
        }
        sums[c] = some + others;
    }

    // 2. The layer, two parts of the sums at a time.
    const Head& head = heads_[phase(empties)];
    const auto clipped = [](Sums part) { return part < 0 ? Sums{} : part > kClip ? Sums{} + kClip : part; };
    Sums parts[2 * kChunks];
    for (int c = 0; c < kChunks; ++c) {
        parts[c] = clipped(sums[c]);
        parts[kChunks + c] = clipped(-sums[c]);
    }
    std::int32_t pairs[kWidth];
    static_assert(sizeof pairs == sizeof parts);
    __builtin_memcpy(pairs, parts, sizeof pairs);

    // 3. The output: the last neuron itself, and the others clipped.
    int value = 0;
    Words outputs{};
    for (int p = 0; p < kParts; ++p) {
        Words neurons = head.biases[p], more{};
        for (int i = 0; i < kWidth; i += 2) {
            neurons += pair_products(std::bit_cast<Shorts>(Words{} + pairs[i]), head.weights[i][p]);
            more += pair_products(std::bit_cast<Shorts>(Words{} + pairs[i + 1]), head.weights[i + 1][p]);
        }
        neurons += more;
        if (p == kParts - 1) value += neurons[kRegister / 4 - 1];
        neurons = (neurons + (1 << (kWeightShift - 1))) >> kWeightShift;
        neurons = neurons < 0 ? Words{} : neurons > kClip ? Words{} + kClip : neurons;
        outputs += pair_products(std::bit_cast<Shorts>(neurons), head.out[p]);
    }
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
        policy_weights_.data() + (phase(empties) * kKinds + kind) * 2 * kPolicyWidth;
    int score = 0;
    for (int i = 0; i < kPolicyWidth; ++i) {
        const int sum = sums[i];
        score += weights[sum < 0 ? kPolicyWidth + i : i] * std::min(sum < 0 ? -sum : sum, kClip);
    }
    return score;
}

}  // namespace othellier
