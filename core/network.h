// The networks on patterns: the value of a position and how likely each move is, in integer arithmetic.
// What they compute and how the payload is laid out stands in network.py; learn/network_model.py trains
// them. Every sum is over all images of a pattern, so the eight symmetries hold exactly.
#pragma once

#include <algorithm>
#include <array>

#include "lanes.h"
#include "patterns.h"

namespace othellier {

class Networks : public Patterns {
  public:
    static constexpr int kWidth = 16, kHidden = 16;  // of the value network
    static constexpr int kPolicyWidth = 4;
    static constexpr int kPhases = 20, kKinds = 10, kCounts = 64;
    static constexpr int kValueShift = 10, kValueUnit = 1 << kValueShift;  // values are in 1/1024 disc
    static constexpr int kScoreUnit = 1 << 14;  // a policy score of one, in the exponent of its probability

    explicit Networks(std::span<const std::byte> payload);  // throws WeightsError

    // Estimated final disc difference for the side to move, in units of 1 / kValueUnit disc.
    int value(const Features& features, int empties, int moves, int opponent_moves) const;

    static int discs(int value) {
        return std::clamp((value + kValueUnit / 2) >> kValueShift, -kMaxEstimate, kMaxEstimate);
    }

    bool has_policy() const { return !policy_rows_.empty(); }

    // The score of a move to an empty square, in units of 1 / kScoreUnit.
    int score(const Features& features, int empties, int square) const;

  private:
    struct alignas(kWidth) Row : std::array<std::int8_t, kWidth> {};  // one cache line holds it whole
    using PolicyRow = Lanes<std::int8_t, kPolicyWidth>;
    static constexpr int kParts = 4 * kHidden / kRegister;  // registers that hold the neurons

    struct Head {
        // For the positive part of each sum, then the negative one; those of two parts stand side by side.
        std::array<std::array<Shorts, kParts>, kWidth> weights;
        std::array<Shorts, kParts> out;  // each beside a zero
        std::array<Words, kParts> biases;
    };
    struct Place {  // of a square within a pattern instance
        std::int32_t feature;
        std::int32_t offset;  // middle of the rows for that place
    };

    static int phase(int empties) {
        const int p = (60 - empties) * kPhases / 60;
        return p < 0 ? 0 : p >= kPhases ? kPhases - 1 : p;
    }

    std::vector<Row> rows_;  // of patterns, counts of moves and empty squares; the last is zero
    alignas(64) std::int32_t middles_[kMaxFeatures];  // row of each feature's index 0, or the zero
    std::vector<Head> heads_;
    std::array<std::uint8_t, 64> kinds_;
    std::array<std::vector<Place>, 64> places_;
    std::int32_t kind_rows_ = 0;
    std::vector<PolicyRow> policy_rows_;
    std::vector<std::int16_t> policy_weights_;
};

}  // namespace othellier
