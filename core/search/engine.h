// The façade of the strong search: positions in, results out, by value or by callback. Holds the
// transposition table between searches; printing, files and clocks are the caller's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "board/board.h"
#include "board/threads.h"
#include "evaluation/patterns.h"
#include "search/search.h"
#include "search/turn.h"

namespace othellier {

struct Limits {
    int depth = 60;            // plies; reaching the last empty square solves the game
    int selectivity = kExact;  // how sure forward pruning must be; kExact forbids it at the end
    bool win_only = false;     // solve for win, draw or loss, not for the score
    double seconds = kNoTimeLimit;
    double usual =
        kNoTimeLimit;  // seconds an ordinary move should take: an easy one takes less, a hard one more
    std::uint64_t nodes = ~std::uint64_t{0};
    int lines = 1;  // how many of the best moves get a value of their own

    bool timed() const { return seconds < kNoTimeLimit; }
    bool counted() const { return nodes != ~std::uint64_t{0}; }
};

// A value is at least `lower` and at most `upper`.
struct Bounds {
    int lower = -kInfinity, upper = kInfinity;
    Bounds operator-() const { return {-upper, -lower}; }  // as the other side sees it
};

struct Line {
    int move = kNoMove;  // kPass where the side to move has none
    int score = 0;
    int lower = -kInfinity, upper = kInfinity;  // proven or estimated bounds; equal when the value is found
    int depth = 0;
    int selectivity = 0;
    bool exact = false;  // the score is proven to be the move's value; another move may be worth more
    std::vector<int> pv;
};

struct SearchResult {
    std::vector<Line> lines;  // best first
    int depth = 0;
    int selectivity = 0;
    Bounds proven;          // of the position's value; equal once its score is proven
    bool complete = false;  // the limits' depth was reached: it need not be the end of the game
    std::uint64_t nodes = 0;
    double seconds = 0;
};

// Called by the searching thread: progress after each finished step, tick every few milliseconds. A tick
// that answers false ends the search; it must not throw. Progress may: the search ends with its exception.
using Progress = std::function<void(const SearchResult&)>;
using Tick = std::function<bool()>;

struct EngineClosed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Engine {
  public:
    Engine(std::shared_ptr<const Weights> weights, std::shared_ptr<const Networks> networks,
           const ProbcutModel& probcut, std::size_t megabytes = 64, int threads = 1);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // Searches a position in which the side to move has a move or must pass; not a finished game.
    SearchResult search(const Board& board, const Shape& shape, bool plain, const Limits& limits,
                        const Progress& progress = {}, const Tick& tick = {});

    void stop();   // ends the running search soon, from any thread; without one it does nothing
    void close();  // for good: ends the running search, gives the table back, refuses to search again
    void clear();  // forgets everything
    void set_threads(int threads);
    void set_megabytes(std::size_t megabytes);
    int threads() const { return threads_; }
    std::size_t megabytes() const { return table_.megabytes(); }

  private:
    struct Busy;
    struct Running;
    int orientation(const Board& mover, const Shape& shape);
    std::size_t gather_threads();        // how many there are for a search; each has a cache
    void forget();                       // what the table holds, and so how it lies
    void resize(std::size_t megabytes);  // the same, with another table

    std::shared_ptr<const Weights> weights_;
    std::shared_ptr<const Networks> networks_;
    ProbcutModel probcut_;
    Table table_;
    int threads_;                       // as asked for
    ThreadPool pool_;                   // from the first search on: without the thread that asks
    std::vector<EndgameCache> caches_;  // one for each thread
    Shape shape_;                       // what the table's entries are about
    bool plain_ = false;
    int symmetry_ = 0;  // the orientation they are kept in
    Bits discs_ = 0;  // squares taken in the last position searched, so oriented; 0 while the table is empty
    Turn searching_;  // held by the one search at a time
    Turn guard_;      // guards running_ and closed_
    Task* running_ = nullptr;
    bool closed_ = false;
};

struct BenchResult {
    std::uint64_t nodes = 0;
    std::uint64_t signature = 0;  // of nodes, moves and scores: the same on every machine
    double seconds = 0;
};

using BenchProgress = std::function<void(int done, int total)>;

// Fixed positions searched by one thread with a fresh table. A tick that answers false ends it; `told` hears
// how many positions are done.
BenchResult bench(std::shared_ptr<const Weights> weights, std::shared_ptr<const Networks> networks,
                  const ProbcutModel& probcut, const Tick& tick = {}, const BenchProgress& told = {});

}  // namespace othellier
