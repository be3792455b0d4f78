// Moves and flips on bare bitboards. SIMD for them is chosen here: `portable` always compiles,
// `simd` compiles where the target has AVX2, and the functions of namespace othellier forward to the
// better of the two. Tests compare the twins on every run.
//
// A bitboard has bit 8*row+column set for a disc on that square: bit 0 is a1, bit 63 is h8.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace othellier {

using Bits = std::uint64_t;

inline int popcount(Bits b) { return std::popcount(b); }
inline int first_square(Bits b) { return std::countr_zero(b); }
inline Bits bit(int square) { return Bits{1} << square; }

// Opponent's discs in columns a and h cannot be enclosed along a line that changes column.
inline constexpr Bits kInnerColumns = 0x7E7E7E7E7E7E7E7EULL;

// The eight rays from a square, without it: first the four towards h8 (right, down, down-left,
// down-right), then the four towards a1 (left, up, up-right, up-left).
struct Rays {
    alignas(32) std::array<Bits, 4> rising{};
    alignas(32) std::array<Bits, 4> falling{};
};

constexpr std::array<Rays, 64> make_rays() {
    constexpr int kRow[4] = {0, 1, 1, 1}, kColumn[4] = {1, 0, -1, 1};
    std::array<Rays, 64> rays{};
    for (int square = 0; square < 64; ++square) {
        for (int d = 0; d < 4; ++d) {
            for (int sign : {1, -1}) {
                Bits ray = 0;
                int row = square / 8 + sign * kRow[d], column = square % 8 + sign * kColumn[d];
                for (; row >= 0 && row < 8 && column >= 0 && column < 8;
                     row += sign * kRow[d], column += sign * kColumn[d])
                    ray |= Bits{1} << (8 * row + column);
                (sign > 0 ? rays[square].rising : rays[square].falling)[d] = ray;
            }
        }
    }
    return rays;
}

inline constexpr std::array<Rays, 64> kRays = make_rays();

namespace portable {

// Discs of `victims` in unbroken runs that start next to a disc of `from`, along one axis, both ways,
// then one step further: Kogge-Stone doubling, three steps reach the six discs a line can hold.
inline Bits reach(Bits from, Bits victims, int step) {
    Bits up = victims & (from << step), down = victims & (from >> step);
    up |= victims & (up << step);
    down |= victims & (down >> step);
    const Bits pairs_up = victims & (victims << step), pairs_down = victims & (victims >> step);
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    up |= pairs_up & (up << 2 * step);
    down |= pairs_down & (down >> 2 * step);
    return (up << step) | (down >> step);
}

inline Bits moves(Bits player, Bits opponent) {
    const Bits inner = opponent & kInnerColumns;
    const Bits found = reach(player, inner, 1) | reach(player, opponent, 8) | reach(player, inner, 7) |
                       reach(player, inner, 9);
    return found & ~(player | opponent);
}

inline Bits flips(int square, Bits player, Bits opponent) {
    const Rays& rays = kRays[square];
    Bits result = 0;
    for (int d = 0; d < 4; ++d) {
        // The nearest square on the ray that is not the opponent's ends the run; it must be ours.
        const Bits stop_up = rays.rising[d] & ~opponent;
        const Bits end_up = stop_up & (0 - stop_up) & player;
        if (end_up) result |= rays.rising[d] & (end_up - 1);
        const Bits stop_down = rays.falling[d] & ~opponent;
        if (stop_down) {
            const Bits end_down = std::bit_floor(stop_down) & player;
            result |= rays.falling[d] & (0 - (end_down << 1));
        }
    }
    return result;
}

// Discs turned by the move to the last empty square; only the mover's discs matter then.
inline int count_last_flips(int square, Bits player) {
    return popcount(flips(square, player, ~player & ~bit(square)));
}

}  // namespace portable

#if defined(__AVX2__)
namespace simd {

inline Bits fold(__m256i v) {
    __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    half = _mm_or_si128(half, _mm_unpackhi_epi64(half, half));
    return static_cast<Bits>(_mm_cvtsi128_si64(half));
}

// The four axes side by side: steps 1, 8, 7, 9.
inline Bits moves(Bits player, Bits opponent) {
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1), twice = _mm256_add_epi64(step, step);
    const __m256i inner =
        _mm256_set_epi64x(static_cast<long long>(kInnerColumns), static_cast<long long>(kInnerColumns), -1,
                          static_cast<long long>(kInnerColumns));
    const __m256i from = _mm256_set1_epi64x(static_cast<long long>(player));
    const __m256i victims = _mm256_and_si256(_mm256_set1_epi64x(static_cast<long long>(opponent)), inner);
    __m256i up = _mm256_and_si256(victims, _mm256_sllv_epi64(from, step));
    __m256i down = _mm256_and_si256(victims, _mm256_srlv_epi64(from, step));
    up = _mm256_or_si256(up, _mm256_and_si256(victims, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(victims, _mm256_srlv_epi64(down, step)));
    const __m256i pairs_up = _mm256_and_si256(victims, _mm256_sllv_epi64(victims, step));
    const __m256i pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    const __m256i found = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    return fold(found) & ~(player | opponent);
}

// As portable::flips, four rays at a time.
inline Bits flips(int square, Bits player, Bits opponent) {
    const Rays& rays = kRays[square];
    const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(player));
    const __m256i theirs = _mm256_set1_epi64x(static_cast<long long>(opponent));
    const __m256i zero = _mm256_setzero_si256();

    const __m256i rising = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.rising.data()));
    const __m256i stop_up = _mm256_andnot_si256(theirs, rising);
    const __m256i end_up = _mm256_and_si256(_mm256_and_si256(stop_up, _mm256_sub_epi64(zero, stop_up)), mine);
    const __m256i none_up = _mm256_cmpeq_epi64(end_up, zero);
    // end_up - 1 where the run is closed, 0 - (-1) - 1 = 0 where it is not.
    const __m256i below = _mm256_sub_epi64(_mm256_sub_epi64(end_up, none_up), _mm256_set1_epi64x(1));
    __m256i result = _mm256_and_si256(rising, below);

    const __m256i falling = _mm256_load_si256(reinterpret_cast<const __m256i*>(rays.falling.data()));
    const __m256i stop_down = _mm256_andnot_si256(theirs, falling);
#if defined(__AVX512VL__) && defined(__AVX512CD__)
    const __m256i nearest = _mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(1ULL << 63)),
                                              _mm256_lzcnt_epi64(stop_down));
#else
    // No vector instruction finds the highest bit: smear the stops down the ray and keep the one that
    // has no other above it.
    const __m256i step = _mm256_set_epi64x(9, 7, 8, 1);
    __m256i shade = _mm256_srlv_epi64(stop_down, step);
    shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, step));
    shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, _mm256_add_epi64(step, step)));
    shade = _mm256_or_si256(shade, _mm256_srlv_epi64(shade, _mm256_slli_epi64(step, 2)));
    const __m256i nearest = _mm256_andnot_si256(shade, stop_down);
#endif
    const __m256i end_down = _mm256_and_si256(nearest, mine);
    const __m256i above = _mm256_sub_epi64(zero, _mm256_add_epi64(end_down, end_down));
    result = _mm256_or_si256(result, _mm256_and_si256(falling, above));
    return fold(result);
}

}  // namespace simd
#endif

#if defined(__BMI2__)
// Count of discs turned on one line of eight when the mover fills `place`, all else being full: the
// distance to its nearest discs on both sides.
constexpr std::array<std::array<std::uint8_t, 256>, 8> make_line_counts() {
    std::array<std::array<std::uint8_t, 256>, 8> counts{};
    for (int place = 0; place < 8; ++place) {
        for (int line = 0; line < 256; ++line) {
            int count = 0, up = place + 1, down = place - 1;
            while (up < 8 && !(line >> up & 1)) ++up;
            while (down >= 0 && !(line >> down & 1)) --down;
            if (up < 8) count += up - place - 1;
            if (down >= 0) count += place - down - 1;
            counts[place][line] = static_cast<std::uint8_t>(count);
        }
    }
    return counts;
}
inline constexpr auto kLineCounts = make_line_counts();

// The column and both diagonals through a square (with it), and its place on each.
struct Lines {
    std::array<Bits, 3> mask{};
    std::array<std::uint8_t, 3> place{};
};
constexpr std::array<Lines, 64> make_lines() {
    std::array<Lines, 64> lines{};
    for (int square = 0; square < 64; ++square) {
        for (int d = 0; d < 3; ++d) {  // rays 1, 2, 3: down, down-left, down-right
            const Bits below = kRays[square].falling[d + 1];
            lines[square].mask[d] = below | Bits{1} << square | kRays[square].rising[d + 1];
            lines[square].place[d] = static_cast<std::uint8_t>(std::popcount(below));
        }
    }
    return lines;
}
inline constexpr auto kLines = make_lines();

namespace simd {
inline int count_last_flips(int square, Bits player) {
    const Lines& lines = kLines[square];
    int count = kLineCounts[square & 7][player >> (square & 56) & 0xFF];
    for (int d = 0; d < 3; ++d) count += kLineCounts[lines.place[d]][_pext_u64(player, lines.mask[d])];
    return count;
}
}  // namespace simd
#endif

#if defined(__BMI2__)
inline int count_last_flips(int square, Bits player) { return simd::count_last_flips(square, player); }
#else
inline int count_last_flips(int square, Bits player) { return portable::count_last_flips(square, player); }
#endif

#if defined(__AVX2__)
inline Bits moves(Bits player, Bits opponent) { return simd::moves(player, opponent); }
inline Bits flips(int square, Bits player, Bits opponent) { return simd::flips(square, player, opponent); }
#else
inline Bits moves(Bits player, Bits opponent) { return portable::moves(player, opponent); }
inline Bits flips(int square, Bits player, Bits opponent) {
    return portable::flips(square, player, opponent);
}
#endif

// The n-th set bit (from 0) as a square.
inline int nth_square(Bits b, int n) {
#if defined(__BMI2__)
    return first_square(_pdep_u64(Bits{1} << n, b));
#else
    while (n-- > 0) b &= b - 1;
    return first_square(b);
#endif
}

}  // namespace othellier
