#include "search/engine.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "search/ordering.h"
#include "search/parallel.h"
#include "search/root.h"
#include "search/schedule.h"

namespace othellier {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int inverse_symmetry(int symmetry) { return symmetry == 5 ? 6 : symmetry == 6 ? 5 : symmetry; }

// Results found in another orientation, told in the caller's.
void transform_moves(SearchResult& result, int symmetry) {
    for (Line& line : result.lines) {
        const auto back = [&](int square) {
            return square < 0 || square > 63 ? square : transform_square(square, symmetry);
        };
        line.move = back(line.move);
        for (int& square : line.pv) square = back(square);
    }
}

// Ends a search for its helpers when its block ends, by an exception too.
struct Closing {
    Pool& pool;
    explicit Closing(Pool& p) : pool(p) {}
    ~Closing() { pool.close(); }
};

// The same results from the other side of a pass.
void add_pass(SearchResult& result) {
    result.lines.resize(1);
    Line& line = result.lines.front();
    line.pv.insert(line.pv.begin(), kPass);
    line.move = kPass;
    line.score = -line.score;
    const int lower = line.lower;
    line.lower = -line.upper;
    line.upper = -lower;
    result.proven = -result.proven;
}

}  // namespace

Engine::Engine(std::shared_ptr<const Weights> weights, std::shared_ptr<const Networks> networks,
               const ProbcutModel& probcut, std::size_t megabytes, int threads)
    : weights_(std::move(weights)),
      networks_(std::move(networks)),
      probcut_(probcut),
      table_(megabytes),
      threads_(std::max(threads, 1)) {
    if (weights_ && networks_ && !weights_->same_patterns(*networks_))
        throw WeightsError("the networks look at other patterns than the weights");
}

Engine::~Engine() {
    stop();
    const std::lock_guard wait(searching_);
}

// One thing at a time. In the child of a fork, what another thread was about has ended in the middle: its
// table is made anew.
struct Engine::Busy {
    const std::lock_guard<Turn> turn;
    explicit Busy(Engine& engine) : turn(engine.searching_) {
        if (!engine.searching_.interrupted()) return;
        engine.running_ = nullptr;
        engine.resize(engine.table_.megabytes());
        engine.searching_.forget_interruption();
    }
};

// Makes a task known to stop() for as long as it runs.
struct Engine::Running {
    Engine& engine;
    Running(Engine& e, Task& task) : engine(e) {
        const std::lock_guard lock(engine.guard_);
        if (engine.closed_) throw EngineClosed("the engine is closed");
        engine.running_ = &task;
    }
    ~Running() {
        const std::lock_guard lock(engine.guard_);
        engine.running_ = nullptr;
    }
};

void Engine::stop() {
    const std::lock_guard lock(guard_);
    if (running_ && !searching_.interrupted()) running_->stop = true;
}

void Engine::close() {
    {
        const std::lock_guard lock(guard_);
        closed_ = true;
    }
    stop();
    const Busy busy(*this);
    resize(1);
    pool_.resize(0);
    caches_.clear();
}

void Engine::clear() {
    const Busy busy(*this);
    forget();
}

std::size_t Engine::gather_threads() {
    if (caches_.empty()) caches_.emplace_back();
    pool_.resize(threads_ - 1, [this](int helper) {
        if (caches_.size() <= static_cast<std::size_t>(helper)) caches_.emplace_back();
    });
    caches_.resize(static_cast<std::size_t>(pool_.helpers()) + 1);
    return caches_.size();
}

void Engine::forget() {
    discs_ = 0;
    if (!table_.used()) return;
    const std::size_t threads = gather_threads();
    table_.clear([&](const auto& clear_part) {
        pool_.run([&](int number) {
            const auto i = static_cast<std::size_t>(number);
            if (i >= threads) return;
            clear_part(i, threads);
            caches_[i].clear();
        });
    });
}

void Engine::resize(std::size_t megabytes) {
    table_.resize(megabytes);
    for (EndgameCache& cache : caches_) cache.clear();
    discs_ = 0;
}

void Engine::set_threads(int threads) {
    const Busy busy(*this);
    threads_ = std::max(threads, 1);
}

void Engine::set_megabytes(std::size_t megabytes) {
    const Busy busy(*this);
    resize(megabytes);
}

// The symmetry by which a position is searched. From an empty table mirrored positions must get mirrored
// answers, so that is the one of its canonical form; while the table knows positions of the same game,
// before or after this one, it is theirs, or nothing they left would be found again.
int Engine::orientation(const Board& mover, const Shape& shape) {
    const Board same = mover.transformed(symmetry_);
    const Bits taken = same.player | same.opponent;
    if (!discs_ || ((taken & discs_) != taken && (taken & discs_) != discs_)) {
        const Board canonical = mover.canonical(shape.rows == shape.columns);
        symmetry_ = 0;
        while (mover.transformed(symmetry_) != canonical) ++symmetry_;
    }
    const Board chosen = mover.transformed(symmetry_);
    discs_ = chosen.player | chosen.opponent;
    return symmetry_;
}

SearchResult Engine::search(const Board& board, const Shape& shape, bool plain, const Limits& limits,
                            const Progress& progress, const Tick& tick) {
    const Busy one_at_a_time(*this);
    const auto start = Clock::now();
    const bool standard = shape == Shape{};

    // 1. Entries about another board or another way of counting would be wrong here.
    if (!(shape == shape_) || plain != plain_) {
        forget();
        shape_ = shape;
        plain_ = plain;
    }
    table_.new_search();

    Task task(table_, standard ? weights_.get() : nullptr, standard ? networks_.get() : nullptr, probcut_);
    task.playable = shape.playable();
    task.squares = shape.squares();
    task.plain = plain;
    task.corners = 0;
    for (int row : {0, shape.rows - 1})
        for (int column : {0, shape.columns - 1})
            task.corners |= bit(shape.to_grid(shape.columns * row + column));
    const Bits inside = Shape{shape.rows - 2, shape.columns - 2}.playable();
    task.x_squares = around(task.corners) & inside;
    task.edges = task.playable & ~inside;
    task.node_limit = limits.nodes;
    task.tick = tick;
    if (limits.timed())
        task.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(limits.seconds));

    // 2. A position before a pass gets the answers of the one after it.
    const bool passes = !board.moves(task.playable);
    const Board mover = passes ? board.passed() : board;
    const int symmetry = orientation(mover, shape);

    SearchResult result;
    {
        const Running running(*this, task);
        const auto helpers = static_cast<int>(gather_threads()) - 1;
        Worker worker(task, caches_.front());
        worker.first = true;
        std::optional<Pool> pool;
        if (helpers > 0) worker.pool = &pool.emplace(task, std::span(caches_).subspan(1));
        Root root(worker, mover.transformed(symmetry), limits);
        const auto nodes = [&] { return worker.nodes + (pool ? pool->helper_nodes() : 0); };
        const auto report = [&] {
            result.lines = root.lines();
            result.proven = root.proven();
            result.depth = result.lines.front().depth;
            result.selectivity = result.lines.front().selectivity;
            result.nodes = nodes();
            result.seconds = seconds_since(start);
            transform_moves(result, inverse_symmetry(symmetry));
            if (passes) add_pass(result);
        };

        // 3. Deeper and surer, step by step, until the limits say stop.
        const Schedule schedule(popcount(mover.empty(task.playable)), limits.depth, limits.selectivity,
                                limits.timed() || limits.counted());
        Patience patience(limits.usual, popcount(mover.moves(task.playable)));
        const auto deepen = [&] {
            for (Step step = schedule.first();; step = schedule.next(step)) {
                root.search(step);
                if (worker.stopped()) break;
                result.complete = schedule.last(step);
                if (result.complete) break;
                if (progress) {
                    report();
                    progress(result);
                }
                if (worker.stopped() ||
                    patience.over(root.best(), root.best_score(), step, seconds_since(start)))
                    break;
            }
            report();
        };
        if (!pool) {
            deepen();
        } else {
            pool_.run([&](int number) {
                if (number > helpers) return;
                if (number > 0) return pool->serve(number - 1);
                const Closing closing(*pool);
                deepen();
            });
        }
    }
    if (progress && result.complete) progress(result);
    return result;
}

BenchResult bench(std::shared_ptr<const Weights> weights, std::shared_ptr<const Networks> networks,
                  const ProbcutModel& probcut, const Tick& tick, const BenchProgress& told) {
    // Positions from random games, so that no one can tune to them without seeing the others: three for each
    // number of empty squares. What is counted is what play does: estimates of its confidence to a fixed
    // depth, its way towards the end under a limit that breaks it off and under one that does not, and exact
    // solves.
    struct Task {
        int empties, depth, selectivity;
        std::uint64_t nodes;
    };
    constexpr std::uint64_t kUnlimited = Limits{}.nodes;
    constexpr Task kTasks[] = {{50, 16, kPlayConfidence, kUnlimited}, {44, 17, kPlayConfidence, kUnlimited},
                               {38, 17, kPlayConfidence, kUnlimited}, {32, 17, kPlayConfidence, kUnlimited},
                               {28, 28, kExact, 1'000'000},           {20, 20, kExact, 5'000'000},
                               {19, 19, kExact, kUnlimited},          {18, 18, kExact, kUnlimited}};
    constexpr int kRepeats = 3;
    BenchResult result;
    int done = 0;
    std::uint64_t random = 1, signature = 0xCBF29CE484222325ULL;
    const auto mix = [&](std::uint64_t value) { signature = (signature ^ value) * 0x100000001B3ULL; };
    const auto start = Clock::now();
    for (const Task& task : kTasks) {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
            Board board;
            do {
                board = Board::start();
                while (popcount(board.empty()) > task.empties && !board.over()) {
                    if (!board.moves()) board = board.passed();
                    random = random * 6364136223846793005ULL + 1442695040888963407ULL;
                    const Bits moves = board.moves();
                    board = board.played(nth_square(
                        moves, static_cast<int>((random >> 33) % static_cast<unsigned>(popcount(moves)))));
                }
                if (!board.moves()) board = board.passed();
            } while (!board.moves());
            Engine engine(weights, networks, probcut, 16, 1);
            Limits limits;
            limits.depth = task.depth;
            limits.selectivity = task.selectivity;
            limits.nodes = task.nodes;
            const SearchResult found = engine.search(board, {}, false, limits, {}, tick);
            result.nodes += found.nodes;
            mix(found.nodes);
            mix(static_cast<std::uint64_t>(found.lines.front().move));
            mix(static_cast<std::uint64_t>(found.lines.front().score));
            mix(static_cast<std::uint64_t>(found.depth));
            if (told) told(++done, kRepeats * static_cast<int>(std::size(kTasks)));
        }
    }
    result.seconds = seconds_since(start);
    result.signature = signature & 0xFFFFFFFFULL;
    return result;
}

}  // namespace othellier
