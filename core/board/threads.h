// Threads that are kept and do a piece of work together, again and again.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

namespace othellier {

class ThreadPool {
  public:
    explicit ThreadPool(int helpers = 0);
    ~ThreadPool();

    // Makes it so many helpers, or as many as the system has threads and memory for: prepare(i) gets what
    // helper i needs. Those there are stay where the number is the same, but for the child of a fork, which
    // has none of its parent's threads.
    void resize(int helpers, const std::function<void(int)>& prepare = [](int) {});
    int helpers() const;

    // Calls work(0) on this thread and work(1), work(2), ... on the helpers. Returns when all have returned,
    // and throws what work(0) threw, or else what the first of the others did.
    void run(const std::function<void(int)>& work);

  private:
    struct State;
    std::unique_ptr<State> state_;  // null without helpers
    int wanted_ = 0;
};

// Calls work(memory) on so many threads, each with a Memory of its own; on fewer where the system does not
// have the threads or the memory.
template <typename Memory, typename Work>
void on_threads(int threads, Work work) {
    std::deque<Memory> memories(1);
    ThreadPool pool;
    pool.resize(threads - 1, [&](int) { memories.emplace_back(); });
    pool.run([&](int number) { work(memories[static_cast<std::size_t>(number)]); });
}

}  // namespace othellier
