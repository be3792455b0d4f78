// The networks on patterns: the value of a position and how likely each move is, in integer arithmetic.
// What they compute and how the payload is laid out stands in network.py; learn/network_model.py trains
// them. Every sum is over all images of a pattern, so the eight symmetries hold exactly.
#pragma once

#include <algorithm>
#include <array>

#include "board/lanes.h"
#include "board/pages.h"
#include "evaluation/patterns.h"

namespace othellier {

class Networks : public Patterns {
  public:
    // The value network: numbers of a row, neurons of its two layers, heads by the number of empty squares.
    static constexpr int kWidth = 32, kHidden = 16, kSecond = 16, kHeads = 61;
    static constexpr int kPolicyWidth = 4, kPhases = 20;
    static constexpr int kKinds = 10, kCounts = 64;
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
    // Rows are aligned to the greatest power of two that divides them: as few cache lines as can be.
    struct alignas(kWidth & -kWidth) Row : std::array<std::int8_t, kWidth> {};
    using PolicyRow = Lanes<std::int8_t, kPolicyWidth>;

    // A layer of neurons, each of which, clipped, also adds to the value.
    template <int inputs, int outputs>
    struct Layer {
        static_assert(inputs % 4 == 0 && 4 * outputs % kRegister == 0);
        static constexpr int kParts = 4 * outputs / kRegister;  // registers that hold the neurons
        using Neurons = std::array<Words, kParts>;

        std::array<std::array<Shorts, kParts>, inputs / 2> weights;  // those of two inputs side by side
        Neurons biases;
        std::array<Shorts, kParts> out;  // each beside a zero

        void read(Reader& in);
        Neurons neurons(const std::array<std::int32_t, inputs / 2>& pairs) const;
    };
    struct Head {
        Layer<2 * kWidth, kHidden> first;
        Layer<kHidden, kSecond> second;
    };
    struct Place {  // of a square within a pattern instance
        std::int32_t feature;
        std::int32_t offset;  // middle of the rows for that place
    };

    static int policy_phase(int empties) {
        const int p = (60 - empties) * kPhases / 60;
        return p < 0 ? 0 : p >= kPhases ? kPhases - 1 : p;
    }

    std::vector<Row, HugePages<Row>> rows_;  // of patterns, counts of moves, empty squares; the last is zero
    alignas(64) std::int32_t middles_[kMaxFeatures];  // row of each feature's index 0, or the zero
    std::vector<Head> heads_;
    std::array<std::uint8_t, 64> kinds_;
    std::array<std::vector<Place>, 64> places_;
    std::int32_t kind_rows_ = 0;
    std::vector<PolicyRow> policy_rows_;
    std::vector<std::int16_t> policy_weights_;
};

}  // namespace othellier
