// Several threads in one tree. The first child of a node is searched alone; once it has given a bound,
// the others may be shared: the owner opens a split point, idle threads join it, take the next move
// each, and all leave when one of them proves a cut-off (young brothers wait). An owner that has run out
// of moves helps its helpers until they are done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "search/search.h"

namespace othellier {

struct Child {
    Node node;
    int square;
    int score;
};

struct SplitPoint {
    SplitPoint* parent = nullptr;
    const Child* children = nullptr;
    const std::uint8_t* order = nullptr;  // which child comes when, `count` of them
    int count = 0;
    int alpha = 0, beta = 0, depth = 0;
    int selectivity = kExact;
    std::atomic<bool> cutoff{false};
    // What changes while others only read the above: on lines of cache of its own.
    alignas(64) std::atomic<int> next{0};
    std::atomic<int> helpers{0};  // grows only under the pool's mutex, while the point is open
    std::atomic<int> best{-kInfinity};
    int best_move = kNoMove;
    std::mutex mutex;  // guards best and best_move when they change
};

// Searches one child in the frame of PVS: null window unless it is the first or proves better.
int search_child(Worker& worker, const Node& child, int low, int beta, int depth, bool first);

class Pool {
  public:
    Pool(Task& task, std::span<EndgameCache> caches);  // a helper for each

    // The share of a helper, counted from 0: returns when the search is over.
    void serve(int helper) { idle_loop(*workers_[static_cast<std::size_t>(helper)]); }
    void close();  // ends the search for the helpers

    bool wants_work() const { return idle_.load(std::memory_order_relaxed) > 0; }
    void split(Worker& owner, SplitPoint& point);
    std::uint64_t helper_nodes() const;  // exact once the search is over

  private:
    void idle_loop(Worker& worker);
    bool help(Worker& worker, const SplitPoint* ancestor, std::uint32_t& seen);
    SplitPoint* find_work(const SplitPoint* ancestor) const;
    void join(Worker& worker, SplitPoint& point);
    void work(Worker& worker, SplitPoint& point);
    void wait_for_helpers(Worker& owner, SplitPoint& point);

    std::vector<std::unique_ptr<Worker>> workers_;
    std::vector<SplitPoint*> open_;
    mutable std::mutex mutex_;
    std::condition_variable wake_;
    alignas(64) std::atomic<int> idle_{0};  // threads without work, owners that wait for helpers among them
    // How many points were ever opened, changed under the mutex. A point that has no move left never has one
    // again, so who found nothing need not ask before this has grown.
    alignas(64) std::atomic<std::uint32_t> opened_{0};
    std::atomic<bool> quit_{false};
};

}  // namespace othellier
