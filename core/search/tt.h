// The transposition table, shared by all threads of an engine without locks.
//
// Each entry is three relaxed atomic words: the two bitboards, each mixed with the data word, and the
// data itself. A reader that catches words of two different writes sees boards that do not match and
// takes it for a miss, so races cost an entry now and then but never give a wrong bound. The whole
// position is kept, not a signature: a hit is certain, and an exact score stays proven.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "board/board.h"
#include "board/pages.h"

namespace othellier {

inline constexpr int kNoMove = 64;
inline constexpr int kInfinity = 65;  // outside every score

// What is known of a position: score bounds at a depth and a selectivity, and the two best moves.
struct Entry {
    std::uint8_t depth = 0, selectivity = 0, generation = 0, effort = 0;
    std::int8_t lower = -kInfinity, upper = kInfinity;
    std::uint8_t move = kNoMove, second = kNoMove;
};
static_assert(sizeof(Entry) == 8);

class Table {
  public:
    explicit Table(std::size_t megabytes) { resize(megabytes); }

    // Throws std::bad_alloc where the memory is not to be had; the table is then as it was.
    void resize(std::size_t megabytes) {
        using Pages = HugePages<Bucket>;
        if (megabytes > SIZE_MAX >> 20) throw std::bad_alloc();
        const std::size_t bytes = (std::max<std::size_t>(megabytes, 2) << 20) / Pages::kPage * Pages::kPage;
        Bucket* const memory = Pages().allocate(bytes / sizeof(Bucket));
        // The old table goes before the new one is touched: both need never be in memory at once.
        slots_.reset(memory);
        buckets_ = bytes / sizeof(Bucket);
        std::uninitialized_value_construct_n(slots_.get(), buckets_);
        used_ = false;
        generation_ = 1;
    }
    // True if it may hold anything: clearing a large fresh table would cost more than solving a small board.
    bool used() const { return used_; }
    void clear() {
        clear([](const auto& part) { part(0, 1); });
    }
    // Clears with several threads: together(part) calls part(i, count) for every i below some count.
    template <typename Together>
    void clear(Together together) {
        if (!used_) return;
        used_ = false;
        generation_ = 1;
        together([this](std::size_t i, std::size_t count) {
            const std::size_t first = buckets_ * i / count, last = buckets_ * (i + 1) / count;
            // As bytes: nobody reads meanwhile, and whole lines need not be fetched before they are written.
            std::memset(static_cast<void*>(slots_.get() + first), 0, (last - first) * sizeof(Bucket));
        });
    }
    // Entries of earlier searches stay readable but are the first to be replaced.
    void new_search() {
        used_ = true;
        generation_ = static_cast<std::uint8_t>(generation_ % 255 + 1);
    }

    std::size_t megabytes() const { return buckets_ * sizeof(Bucket) >> 20; }

    // Asks for a position's bucket ahead of time: it comes from memory while other work is done.
    void prefetch(std::uint64_t hash) const { __builtin_prefetch(&bucket(hash)); }

    bool probe(const Board& board, std::uint64_t hash, Entry& found) const {
        for (const Slot& slot : bucket(hash).slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            if ((slot.player.load(std::memory_order_relaxed) ^ data) == board.player &&
                (slot.opponent.load(std::memory_order_relaxed) ^ std::rotl(data, 32)) == board.opponent &&
                data != 0) {
                found = std::bit_cast<Entry>(data);
                return true;
            }
        }
        return false;
    }

    // Files a result: `score` within (alpha, beta) is exact, outside it is a bound.
    void store(const Board& board, std::uint64_t hash, int depth, int selectivity, int effort, int alpha,
               int beta, int score, int move) {
        Bucket& home = bucket(hash);
        Slot* victim = nullptr;
        int least = 1 << 30;
        Entry entry;
        for (Slot& slot : home.slots) {
            const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
            const Entry old = std::bit_cast<Entry>(data);
            if (data != 0 && (slot.player.load(std::memory_order_relaxed) ^ data) == board.player &&
                (slot.opponent.load(std::memory_order_relaxed) ^ std::rotl(data, 32)) == board.opponent) {
                // A deeper or surer result of this search is worth more than the new one.
                if (old.generation == generation_ &&
                    (old.depth > depth || (old.depth == depth && old.selectivity > selectivity)))
                    return;
                entry = old;
                victim = &slot;
                break;
            }
            // 1. An empty or outdated slot is worth least, then the one that took the least work.
            const int worth = data == 0 ? -2000
                                        : (old.generation == generation_ ? 1000 : 0) + 4 * old.effort +
                                              old.depth + old.selectivity;
            if (worth < least) {
                least = worth;
                victim = &slot;
            }
        }
        // 2. A result at the same depth and selectivity tightens the bounds, any other replaces them.
        if (entry.depth != depth || entry.selectivity != selectivity || entry.lower > entry.upper) {
            entry.lower = -kInfinity;
            entry.upper = kInfinity;
        }
        entry.depth = static_cast<std::uint8_t>(depth);
        entry.selectivity = static_cast<std::uint8_t>(selectivity);
        entry.effort = static_cast<std::uint8_t>(effort);
        entry.generation = generation_;
        if (score < beta) entry.upper = static_cast<std::int8_t>(std::min<int>(entry.upper, score));
        if (score > alpha) entry.lower = static_cast<std::int8_t>(std::max<int>(entry.lower, score));
        if (entry.lower > entry.upper) entry.lower = entry.upper = static_cast<std::int8_t>(score);
        // 3. A move that failed low proves nothing: keep the older ones then.
        if (score > alpha && move != entry.move && move != kNoMove) {
            entry.second = entry.move;
            entry.move = static_cast<std::uint8_t>(move);
        } else if (entry.move == kNoMove) {
            entry.move = static_cast<std::uint8_t>(move);
        }
        const auto data = std::bit_cast<std::uint64_t>(entry);
        victim->data.store(data, std::memory_order_relaxed);
        victim->player.store(board.player ^ data, std::memory_order_relaxed);
        victim->opponent.store(board.opponent ^ std::rotl(data, 32), std::memory_order_relaxed);
    }

  private:
    struct Slot {
        std::atomic<std::uint64_t> player{0}, opponent{0}, data{0};
    };
    struct alignas(64) Bucket {
        Slot slots[2];  // a line of cache: four slots in a line and a half find no more, and wait longer
    };

    Bucket& bucket(std::uint64_t hash) const {
        // The high bits of a product spread the hash evenly over any number of buckets.
        return slots_[static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * buckets_) >> 64)];
    }

    struct Free {
        void operator()(Bucket* memory) const { HugePages<Bucket>().deallocate(memory, 0); }
    };

    std::unique_ptr<Bucket[], Free> slots_;
    std::size_t buckets_ = 0;
    std::uint8_t generation_ = 1;
    bool used_ = false;
};

}  // namespace othellier
