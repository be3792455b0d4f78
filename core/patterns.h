// The evaluation: pattern tables by game phase, plus mobility. The geometry (which squares form which
// pattern) is part of the weights, so that trainer and core have one definition.
//
// A pattern's index is written in balanced ternary: a disc of the side to move counts +1, one of the
// other side -1, an empty square 0, each times its own power of three. Changing sides is then a change
// of sign, and playing a move is one vector addition per turned disc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "board.h"

namespace othellier {

inline constexpr int kMaxFeatures = 64;  // pattern instances on the board, four AVX2 registers of indices
inline constexpr int kMobilityTerms = 64;
inline constexpr int kMaxEstimate = 62;  // estimates stay inside: ±64 is reserved for proven wipe-outs

struct WeightsError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// All indices of a position, from the view of the side to move.
struct Features {
    // Unsigned, so that sums may wrap on their way: 2 * 3^9 does not fit sixteen signed bits, but every
    // finished index does.
    using Lanes [[gnu::vector_size(2 * kMaxFeatures)]] = std::uint16_t;
    Lanes index;
};

class Weights {
  public:
    // Reads the uncompressed payload of a weights file (layout in weights.py); throws WeightsError.
    explicit Weights(std::span<const std::byte> payload);

    Features features(const Board& board) const;

    // The features after the side to move plays `square`, seen by the other side.
    Features played(const Features& features, int square, Bits flipped) const {
        Features::Lanes sum = features.index + steps_[square];
        for (; flipped; flipped &= flipped - 1) sum += double_steps_[first_square(flipped)];
        return {-sum};
    }
    static Features passed(const Features& features) { return {-features.index}; }

    // Estimated final disc difference for the side to move, in units of 1 / unit() disc.
    int raw(const Features& features, int empties, int moves, int opponent_moves) const {
        const std::int16_t* table = tables_.data() + phase(empties) * phase_size_;
        int sum = table[mobility_offset_ + moves] + table[mobility_offset_ + kMobilityTerms + opponent_moves];
        alignas(128) std::int16_t index[kMaxFeatures];
        __builtin_memcpy(index, &features.index, sizeof index);
        for (int k = 0; k < feature_count_; ++k) sum += table[offsets_[k] + index[k]];
        return sum;
    }
    int discs(int raw) const {
        const int value = (raw + unit_ / 2) >> unit_shift_;
        return value > kMaxEstimate ? kMaxEstimate : value < -kMaxEstimate ? -kMaxEstimate : value;
    }
    int evaluate(const Board& board, const Features& features, int empties) const {
        return discs(raw(features, empties, popcount(board.moves()), popcount(board.passed().moves())));
    }

    int unit() const { return unit_; }
    int phases() const { return phases_; }
    int feature_count() const { return feature_count_; }

  private:
    int phase(int empties) const {
        const int p = (60 - empties) * phases_ / 60;
        return p < 0 ? 0 : p >= phases_ ? phases_ - 1 : p;
    }

    int unit_ = 0, unit_shift_ = 0, phases_ = 0, feature_count_ = 0;
    std::size_t phase_size_ = 0;
    int mobility_offset_ = 0;
    alignas(64) std::int32_t offsets_[kMaxFeatures] = {};  // middle of each feature's table in a phase
    std::vector<Features::Lanes> steps_, double_steps_;    // by square: what a disc, a turned disc adds
    std::vector<std::int16_t> tables_;
};

}  // namespace othellier
