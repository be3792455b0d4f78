// The random numbers of the searches: SplitMix64, the twin of search/rng.py.
#pragma once

#include <cstdint>
#include <utility>

namespace othellier {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
        return z ^ z >> 31;
    }
    // A number from 0 to limit - 1.
    std::uint64_t below(std::uint64_t limit) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>(Wide{next()} * limit >> 64);
    }
    template <class Item>
    void shuffle(Item* items, int count) {
        for (int last = count - 1; last > 0; --last)
            std::swap(items[last], items[below(static_cast<std::uint64_t>(last) + 1)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace othellier
