// The evaluation: pattern tables by game phase, plus mobility. The geometry (which squares form which
// pattern) is part of the weights, so that trainer and core have one definition.
//
// A pattern's index is written in balanced ternary: a disc of the side to move counts +1, one of the
// other side -1, an empty square 0, each times its own power of three. Changing sides is then a change
// of sign, and playing a move is one vector addition per turned disc.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "board/board.h"
#include "board/lanes.h"

namespace othellier {

inline constexpr int kMaxFeatures = 64;  // pattern instances on the board, a few registers of indices
inline constexpr int kMobilityTerms = 64;
inline constexpr int kMaxEstimate = 62;  // estimates stay inside: ±64 is reserved for proven wipe-outs

constexpr int power_of_three(int n) { return n == 0 ? 1 : 3 * power_of_three(n - 1); }

struct WeightsError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// All indices of a position, from the view of the side to move.
struct Features {
    // Unsigned, so that sums may wrap on their way: 2 * 3^9 does not fit sixteen signed bits, but every
    // finished index does.
    using Part = Lanes<std::uint16_t, kRegister / 2>;
    static constexpr int kParts = 2 * kMaxFeatures / kRegister;
    Part parts[kParts];  // not set: most nodes use few of the places kept for their children

    void set(int feature, int value) {
        constexpr int kLanes = kRegister / 2;
        parts[feature / kLanes][feature % kLanes] = static_cast<std::uint16_t>(value);
    }
    void add(const Features& other) {
        for (int p = 0; p < kParts; ++p) parts[p] += other.parts[p];
    }
    Features negated() const {
        Features result;
        for (int p = 0; p < kParts; ++p) result.parts[p] = -parts[p];
        return result;
    }
    std::array<std::int16_t, kMaxFeatures> indices() const {
        return std::bit_cast<std::array<std::int16_t, kMaxFeatures>>(*this);
    }
};

// Reads the little-endian numbers of a payload one after the other and refuses to run past its end.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    int u8() { return numbers<std::uint8_t>(1)[0]; }
    int u16() { return numbers<std::uint16_t>(1)[0]; }
    template <typename T>
    std::vector<T> numbers(std::size_t count) {
        const auto bytes = take(count * sizeof(T));
        std::vector<T> found(count);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            found[i / sizeof(T)] |=
                static_cast<T>(std::to_integer<std::make_unsigned_t<T>>(bytes[i]) << 8 * (i % sizeof(T)));
        return found;
    }
    bool done() const { return at_ == bytes_.size(); }
    std::span<const std::byte> take(std::size_t n);
    void end() const;  // throws if there is more

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

// Which squares form which pattern, and the indices of positions.
class Patterns {
  public:
    Features features(const Board& board) const;

    // The features after the side to move plays `square`, seen by the other side.
    Features played(const Features& features, int square, Bits flipped) const {
        Features sum = features;
        sum.add(steps_[square]);
        for (; flipped; flipped &= flipped - 1) sum.add(double_steps_[first_square(flipped)]);
        return sum.negated();
    }
    static Features passed(const Features& features) { return features.negated(); }

    bool same_patterns(const Patterns& other) const { return squares_ == other.squares_; }

  protected:
    Patterns() : steps_(64), double_steps_(64) {}
    void read(Reader& in);

    int feature_count_ = 0;
    std::int32_t entries_ = 0;                             // of the tables of all types
    alignas(64) std::int32_t offsets_[kMaxFeatures] = {};  // middle of each feature's table
    std::vector<std::vector<std::uint8_t>> squares_;       // of each feature, in the order of its digits

  private:
    std::vector<Features> steps_, double_steps_;  // by square: what a disc, a turned disc adds
};

class Weights : public Patterns {
  public:
    // Reads the uncompressed payload of a weights file (layout in weights.py); throws WeightsError.
    explicit Weights(std::span<const std::byte> payload);

    // Estimated final disc difference for the side to move, in units of 1 / unit() disc.
    int raw(const Features& features, int empties, int moves, int opponent_moves) const {
        const std::int16_t* table = tables_.data() + phase(empties) * phase_size_;
        int sum = table[entries_ + moves] + table[entries_ + kMobilityTerms + opponent_moves];
        const auto index = features.indices();
        std::int32_t at[kMaxFeatures];  // all at once: the loop is then two loads and an addition
        for (int k = 0; k < kMaxFeatures; ++k) at[k] = offsets_[k] + index[k];
        for (int k = 0; k < feature_count_; ++k) sum += table[at[k]];
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

  private:
    int phase(int empties) const {
        const int p = (60 - empties) * phases_ / 60;
        return p < 0 ? 0 : p >= phases_ ? phases_ - 1 : p;
    }

    int unit_ = 0, unit_shift_ = 0, phases_ = 0;
    std::size_t phase_size_ = 0;
    std::vector<std::int16_t> tables_;
};

}  // namespace othellier
