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
    heads_.resize(kPhases);
    for (Head& head : heads_) {
        const auto weights = in.numbers<std::int16_t>(2 * kWidth * kHidden);
        const auto out = in.numbers<std::int16_t>(kHidden);
        const auto biases = in.numbers<std::int32_t>(kHidden);
        for (int n = 0; n < kHidden; ++n) {
            for (int i = 0; i < 2 * kWidth; ++i) head.weights[i][n] = weights[i * kHidden + n];
            head.out[n] = n == kHidden - 1 ? 0 : out[n];  // the last neuron is an output itself
            if (std::abs(biases[n] / 2) >= 1 << 29)
                throw WeightsError("the biases of the networks leave no room for sums");
            head.biases[n] = biases[n];
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
    // 1. The sums. In a plain loop of numbers the compiler finds one widening load and one addition a row.
    alignas(128) std::int16_t index[kMaxFeatures];
    __builtin_memcpy(index, &features.index, sizeof index);
    std::int32_t row[kMaxFeatures + 3];
    for (int k = 0; k < kMaxFeatures; ++k) row[k] = offsets_[k] + index[k];
    row[feature_count_] = entries_ + moves;
    row[feature_count_ + 1] = entries_ + kCounts + opponent_moves;
    row[feature_count_ + 2] = entries_ + 2 * kCounts + empties;
    std::int16_t sums[kWidth] = {};
    for (int k = 0; k < feature_count_ + 3; ++k) {
        const std::int8_t* numbers = rows_[row[k]].data();
        for (int i = 0; i < kWidth; ++i) sums[i] = static_cast<std::int16_t>(sums[i] + numbers[i]);
    }

    // 2. The layer.
    const Head& head = heads_[phase(empties)];
    Neurons neurons = head.biases;
    std::int32_t parts[2 * kWidth];
    for (int i = 0; i < kWidth; ++i) {
        parts[i] = std::clamp<int>(sums[i], 0, kClip);
        parts[kWidth + i] = std::clamp<int>(-sums[i], 0, kClip);
    }
    for (int i = 0; i < 2 * kWidth; ++i) neurons += head.weights[i] * parts[i];

    // 3. The output.
    int value = neurons[kHidden - 1];
    neurons = (neurons + (1 << (kWeightShift - 1))) >> kWeightShift;
    neurons = neurons < 0 ? Neurons{} : neurons > kClip ? Neurons{} + kClip : neurons;
    neurons *= head.out;
    for (int n = 0; n < kHidden; ++n) value += neurons[n];
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
    for (const Place& place : places_[square])
        add(sums, place.offset + static_cast<std::int16_t>(features.index[place.feature]));
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
