// The classifier on the bare board in whole numbers: the fast twin of classifier.py, which hands over its
// weights.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "board/board.h"

namespace othellier::classic {

// Discs in, two layers, one number out: the logarithm of the odds of winning for the side to move, in
// thousandths, the mean over the eight symmetric forms. Sums of whole numbers: both twins agree to the unit.
class BoardClassifier {
  public:
    static constexpr int kInputs = 128, kFirst = 64, kSecond = 32;
    static constexpr int kNumbers = kInputs * kFirst + kFirst + kSecond * kFirst + kSecond + kSecond + 1;

    // What a disc on each square adds to the first layer, the mover's discs before the other's, and that
    // layer's constants; then weights and constants of the second layer and of the last.
    explicit BoardClassifier(const std::vector<int>& numbers) {
        if (static_cast<int>(numbers.size()) != kNumbers)
            throw std::invalid_argument("a classifier of another shape");
        const int* next = numbers.data();
        const auto weights = [&next](auto& row) {
            int sum = 0;
            for (auto& weight : row) {
                if (*next < -kLargest || *next > kLargest)
                    throw std::invalid_argument("a weight of the classifier is too large");
                sum += std::abs(*next);
                weight = static_cast<std::int16_t>(*next++);
            }
            // So much, times the most that a layer says, is still a number of 32 bits.
            if (sum > 2 * kLargest) throw std::invalid_argument("a row of the classifier is too large");
        };
        const auto constants = [&next](auto& row) {
            for (auto& constant : row) constant = std::clamp(*next++, -kMost, kMost);
        };
        for (auto& square : discs_)
            for (auto& weight : square) {
                if (*next < -kLargest || *next > kLargest)
                    throw std::invalid_argument("a weight of the classifier is too large");
                weight = static_cast<std::int16_t>(*next++);
            }
        constants(first_constants_);
        for (auto& row : second_) weights(row);
        constants(second_constants_);
        weights(last_);
        last_constant_ = *next;
    }

    int of(const Board& board) const {
        std::int64_t total = 0;
        for (int s = 0; s < 8; ++s) total += form(board.transformed(s));
        return static_cast<int>((1000 * total + (std::int64_t{1} << 22)) >>
                                23);  // eight forms in units of 2^20
    }

  private:
    static constexpr int kLargest = 32767;
    static constexpr int kMost = 1 << 28;

    std::int64_t form(const Board& board) const {
        std::array<std::int32_t, kFirst> sums = first_constants_;
        add(sums, board.player, 0);
        add(sums, board.opponent, 64);
        std::array<std::int16_t, kFirst> first;
        for (int i = 0; i < kFirst; ++i)
            first[i] = static_cast<std::int16_t>(std::clamp(sums[i], 0, kLargest));
        std::int64_t total = last_constant_;
        for (int o = 0; o < kSecond; ++o) {
            std::int32_t sum = 0;
            for (int i = 0; i < kFirst; ++i) sum += first[i] * second_[o][i];
            const std::int64_t second =
                std::max<std::int64_t>(std::int64_t{sum} + second_constants_[o], 0) >> 12;
            total += second * last_[o];
        }
        return total;
    }
    void add(std::array<std::int32_t, kFirst>& sums, Bits discs, int side) const {
        for (; discs; discs &= discs - 1) {
            const auto& row = discs_[side + first_square(discs)];
            for (int i = 0; i < kFirst; ++i) sums[i] += row[i];
        }
    }

    std::array<std::array<std::int16_t, kFirst>, kInputs> discs_;
    std::array<std::int32_t, kFirst> first_constants_;
    std::array<std::array<std::int16_t, kFirst>, kSecond> second_;
    std::array<std::int32_t, kSecond> second_constants_;
    std::array<std::int16_t, kSecond> last_;
    int last_constant_ = 0;
};

}  // namespace othellier::classic
