// Small vectors of integers that fit the machine's registers, and the operations on them that the compiler
// does not find by itself. Like bitboard.h, this chooses SIMD so that nothing else has to.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace othellier {

template <typename T, int count>
using Lanes [[gnu::vector_size(sizeof(T) * count)]] = T;

// Bytes of the widest registers there are: the compiler keeps wider vectors in memory.
#if defined(__AVX512BW__)
inline constexpr int kRegister = 64;
#elif defined(__AVX2__)
inline constexpr int kRegister = 32;
#else
inline constexpr int kRegister = 16;
#endif
using Shorts = Lanes<std::int16_t, kRegister / 2>;
using Words = Lanes<std::int32_t, kRegister / 4>;

// For each pair of numbers the sum of their products: a[2i] b[2i] + a[2i+1] b[2i+1].
inline Words pair_products(Shorts a, Shorts b) {
#if defined(__AVX512BW__)
    return std::bit_cast<Words>(_mm512_madd_epi16(std::bit_cast<__m512i>(a), std::bit_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return std::bit_cast<Words>(_mm256_madd_epi16(std::bit_cast<__m256i>(a), std::bit_cast<__m256i>(b)));
#elif defined(__SSE2__)
    return std::bit_cast<Words>(_mm_madd_epi16(std::bit_cast<__m128i>(a), std::bit_cast<__m128i>(b)));
#else
    Words sums{};
    for (int i = 0; i < kRegister / 4; ++i) sums[i] = a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1];
    return sums;
#endif
}

// Bytes read as numbers of sixteen bits; at most kWidened can be widened at once.
inline constexpr int kWidened = kRegister / 2;
template <int count>
inline Lanes<std::int16_t, count> widened(const std::int8_t* bytes) {
#if defined(__AVX512BW__)
    if constexpr (count == 32)
        return std::bit_cast<Lanes<std::int16_t, count>>(
            _mm512_cvtepi8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes))));
#endif
#if defined(__AVX2__)
    if constexpr (count == 16)
        return std::bit_cast<Lanes<std::int16_t, count>>(
            _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))));
#endif
    Lanes<std::int8_t, count> narrow;
    __builtin_memcpy(&narrow, bytes, sizeof narrow);
    return __builtin_convertvector(narrow, Lanes<std::int16_t, count>);
}

}  // namespace othellier
