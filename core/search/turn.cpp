#include "search/turn.h"

#include <algorithm>
#include <new>
#include <vector>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace othellier {

// All that there are, so that a fork can look after them.
struct Turn::Register {
    std::mutex mutex;
    std::vector<Turn*> turns;

    static Register& instance() {
        // Never destroyed: engines may outlive what is destroyed at the end of the program.
        static Register* const shared = new Register;
        return *shared;
    }

    Register() {
#if defined(__unix__) || defined(__APPLE__)
        // Held over the fork, so that the child finds the list whole.
        pthread_atfork([] { instance().mutex.lock(); }, [] { instance().mutex.unlock(); },
                       [] {
                           instance().mutex.unlock();
                           for (Turn* turn : instance().turns) {
                               const std::thread::id owner = turn->owner_;
                               if (owner == std::this_thread::get_id()) continue;
                               new (&turn->mutex_) std::mutex;  // whoever held it is not in this process
                               turn->owner_ = std::thread::id{};
                               if (owner != std::thread::id{}) turn->interrupted_ = true;
                           }
                       });
#endif
    }
};

Turn::Turn() {
    Register& all = Register::instance();
    const std::lock_guard lock(all.mutex);
    all.turns.push_back(this);
}

Turn::~Turn() {
    Register& all = Register::instance();
    const std::lock_guard lock(all.mutex);
    all.turns.erase(std::find(all.turns.begin(), all.turns.end(), this));
}

void Turn::lock() {
    if (owner_ == std::this_thread::get_id())
        throw TurnTaken("a search cannot ask anything of its own engine");
    mutex_.lock();
    owner_ = std::this_thread::get_id();
}

void Turn::unlock() {
    owner_ = std::thread::id{};
    mutex_.unlock();
}

}  // namespace othellier
