#include "board/threads.h"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace othellier {

namespace {

std::atomic<unsigned> forks{0};  // that lie between this process and the program's first

void count_forks() {
#if defined(__unix__) || defined(__APPLE__)
    [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
#endif
}

}  // namespace

struct ThreadPool::State {
    std::mutex mutex;
    std::condition_variable wake, done;
    const std::function<void(int)>* work = nullptr;
    unsigned round = 0;  // of work; the helpers begin when it grows
    int busy = 0;        // helpers that have not finished this round
    bool quit = false;
    std::exception_ptr failure;
    const unsigned born = forks;  // the process whose threads these are
    std::vector<std::jthread> threads;

    ~State() {
        {
            const std::lock_guard lock(mutex);
            quit = true;
        }
        wake.notify_all();
        threads.clear();
    }

    void serve(int number) {
        std::unique_lock lock(mutex);
        for (unsigned seen = 0;; seen = round) {
            wake.wait(lock, [&] { return quit || round != seen; });
            if (quit) return;
            lock.unlock();
            std::exception_ptr thrown;
            try {
                (*work)(number);
            } catch (...) {
                thrown = std::current_exception();
            }
            lock.lock();
            if (!failure) failure = thrown;
            if (--busy == 0) done.notify_one();
        }
    }
};

ThreadPool::ThreadPool(int helpers) { resize(helpers); }

ThreadPool::~ThreadPool() { resize(0); }

void ThreadPool::resize(int helpers, const std::function<void(int)>& prepare) {
    count_forks();
    const bool orphaned = state_ && state_->born != forks;
    // Of threads that are in another process nothing can be waited for, nor their locks be trusted.
    if (orphaned) static_cast<void>(state_.release());
    if (helpers == wanted_ && !orphaned) return;
    wanted_ = helpers;
    state_.reset();
    if (helpers == 0) return;
    auto state = std::make_unique<State>();
    try {
        state->threads.reserve(static_cast<std::size_t>(helpers));
        for (int number = 1; number <= helpers; ++number) {
            prepare(number);
            state->threads.emplace_back([state = state.get(), number] { state->serve(number); });
        }
    } catch (const std::system_error&) {  // as many as there are will do
    } catch (const std::bad_alloc&) {
    }
    if (!state->threads.empty()) state_ = std::move(state);
}

int ThreadPool::helpers() const { return state_ ? static_cast<int>(state_->threads.size()) : 0; }

void ThreadPool::run(const std::function<void(int)>& work) {
    if (!state_) return work(0);
    State& state = *state_;
    {
        const std::lock_guard lock(state.mutex);
        state.work = &work;
        state.failure = nullptr;
        state.busy = static_cast<int>(state.threads.size());
        ++state.round;
    }
    state.wake.notify_all();
    std::exception_ptr thrown;
    try {
        work(0);
    } catch (...) {
        thrown = std::current_exception();
    }
    std::unique_lock lock(state.mutex);
    state.done.wait(lock, [&] { return state.busy == 0; });
    if (!thrown) thrown = state.failure;
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace othellier
