#include "search/parallel.h"

#include <algorithm>
#include <thread>

namespace othellier {

bool Worker::stopped() const {
    if (task.stop.load(std::memory_order_relaxed)) return true;
    for (const SplitPoint* p = split; p; p = p->parent)
        if (p->cutoff.load(std::memory_order_relaxed)) return true;
    return false;
}

void Worker::look_at_limits() {
    published.store(nodes, std::memory_order_relaxed);
    const auto now = std::chrono::steady_clock::now();
    const bool spent = first && nodes + (pool ? pool->helper_nodes() : 0) >= task.node_limit;
    if (spent || now >= task.deadline) task.stop.store(true, std::memory_order_relaxed);
    if (first && task.tick && now >= next_tick) {
        next_tick = now + std::chrono::milliseconds(20);
        if (!task.tick()) task.stop.store(true, std::memory_order_relaxed);
    }
}

Pool::Pool(Task& task, std::span<EndgameCache> caches) {
    for (EndgameCache& cache : caches) {
        workers_.push_back(std::make_unique<Worker>(task, cache));
        workers_.back()->pool = this;
    }
    open_.reserve(64 * (workers_.size() + 1));  // more than a thread can have open, a ply each
}

void Pool::close() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    wake_.notify_all();
}

std::uint64_t Pool::helper_nodes() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers_) sum += worker->published.load(std::memory_order_relaxed);
    return sum;
}

// The open split point with the largest subtrees that still has moves to give away.
SplitPoint* Pool::find_work(const SplitPoint* ancestor) const {
    SplitPoint* found = nullptr;
    for (SplitPoint* point : open_) {
        if (point->next.load(std::memory_order_relaxed) >= point->count ||
            point->cutoff.load(std::memory_order_relaxed))
            continue;
        const SplitPoint* up = point;
        while (up && up != ancestor) up = up->parent;
        if (up == ancestor && (!found || point->depth > found->depth)) found = point;
    }
    return found;
}

namespace {

// Waiting that is over in a moment: busy at first, then giving the core to whoever wants it.
class Pause {
  public:
    void rest() {
        if (++rests_ % kBusy == 0) std::this_thread::yield();
    }
    bool long_enough() const { return rests_ >= kSpins; }
    void again() { rests_ = 0; }

  private:
    static constexpr int kBusy = 16;
    static constexpr int kSpins =
        1 << 16;  // a split point opens every few dozen microseconds: waking is dearer
    int rests_ = 0;
};

}  // namespace

// Works at the best open point below an ancestor, or at any; false if there was none.
bool Pool::help(Worker& worker, const SplitPoint* ancestor, std::uint32_t& seen) {
    if (opened_.load(std::memory_order_relaxed) == seen) return false;
    std::unique_lock lock(mutex_);
    SplitPoint* const point = find_work(ancestor);
    if (!point) {
        seen = opened_.load(std::memory_order_relaxed);
        return false;
    }
    point->helpers.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    idle_.fetch_sub(1, std::memory_order_relaxed);
    join(worker, *point);
    idle_.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void Pool::idle_loop(Worker& worker) {
    idle_.fetch_add(1, std::memory_order_relaxed);
    std::uint32_t seen = 0;
    for (Pause pause; !quit_.load(std::memory_order_relaxed);) {
        if (help(worker, nullptr, seen)) {
            pause.again();
        } else if (pause.long_enough()) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [&] { return quit_ || opened_.load(std::memory_order_relaxed) != seen; });
        } else {
            pause.rest();
        }
    }
}

void Pool::join(Worker& worker, SplitPoint& point) {
    SplitPoint* const outer = worker.split;
    const int selectivity = worker.selectivity;
    worker.split = &point;
    worker.selectivity = point.selectivity;
    work(worker, point);
    worker.split = outer;
    worker.selectivity = selectivity;
    worker.published.store(worker.nodes, std::memory_order_relaxed);
    point.helpers.fetch_sub(1, std::memory_order_release);  // from here on the point may be gone
}

void Pool::work(Worker& worker, SplitPoint& point) {
    for (int i; (i = point.next.fetch_add(1, std::memory_order_relaxed)) < point.count;) {
        if (worker.stopped()) return;
        const Child& child = point.children[point.order[i]];
        const int low = std::max(point.alpha, point.best.load(std::memory_order_relaxed));
        const int score = search_child(worker, child.node, low, point.beta, point.depth, false);
        if (worker.stopped()) return;
        const std::lock_guard lock(point.mutex);
        if (score > point.best.load(std::memory_order_relaxed)) {
            point.best.store(score, std::memory_order_relaxed);
            point.best_move = child.square;
            if (score >= point.beta) point.cutoff.store(true, std::memory_order_relaxed);
        }
    }
}

void Pool::split(Worker& owner, SplitPoint& point) {
    point.parent = owner.split;
    owner.split = &point;
    {
        const std::lock_guard lock(mutex_);
        open_.push_back(&point);
        opened_.fetch_add(1, std::memory_order_relaxed);
    }
    wake_.notify_all();
    work(owner, point);
    {
        const std::lock_guard lock(mutex_);
        open_.erase(std::find(open_.begin(), open_.end(), &point));
    }
    if (point.helpers.load(std::memory_order_acquire) > 0) wait_for_helpers(owner, point);
    owner.split = point.parent;
}

// The owner takes no work meanwhile but its helpers': that is what it waits for, and its stack grows no
// further. They give some away as soon as they see it idle.
void Pool::wait_for_helpers(Worker& owner, SplitPoint& point) {
    idle_.fetch_add(1, std::memory_order_relaxed);
    std::uint32_t seen = opened_.load(std::memory_order_relaxed) - 1;
    for (Pause pause; point.helpers.load(std::memory_order_acquire) > 0;)
        if (help(owner, &point, seen))
            pause.again();
        else
            pause.rest();
    idle_.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace othellier
