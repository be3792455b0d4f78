// Work that is done one piece at a time: a lock that never waits for what cannot come. A thread that holds
// it and asks for it again is told so, and in the child of a fork nobody holds it but the thread that forked.
#pragma once

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace othellier {

inline constexpr double kNoTimeLimit = 1e8;  // seconds: three years; who has as many has no limit

struct TurnTaken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Turn {
  public:
    Turn();
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    void lock();  // throws TurnTaken where this thread holds it
    void unlock();

    // Whether the process was forked while another thread held it: that thread and what it was about are not
    // here, and what it was changing may be half changed. Until forgotten by who has put that right.
    bool interrupted() const { return interrupted_; }
    void forget_interruption() { interrupted_ = false; }

  private:
    struct Register;

    std::mutex mutex_;
    std::atomic<std::thread::id> owner_{};
    std::atomic<bool> interrupted_{false};
};

}  // namespace othellier
