#include "learning/selfplay.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "board/threads.h"
#include "search/root.h"

namespace othellier {

namespace {

constexpr std::size_t kTableMegabytes = 2;  // stays in the cache, and clears in no time between games

std::uint64_t next_random(std::uint64_t& state) {  // splitmix64
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// Where the random numbers of a game start.
std::uint64_t first_random(std::uint64_t number) { return number * 0xD6E8FEB86659FD93ULL; }

// Memory of one thread that plays games.
struct Memory {
    Table table{kTableMegabytes};
    EndgameCache cache;
};

// One game being played: the record so far and the position it has reached.
class Playing {
  public:
    Playing(Task& task, EndgameCache& cache, const SelfplayOptions& options, std::uint64_t number)
        : task_(task),
          options_(options),
          depth_(options.depth + (options.alternate && number % 2)),
          worker_(task, cache) {
        std::fill(std::begin(record_.moves), std::end(record_.moves), kNoSquare);
        std::fill(std::begin(record_.values), std::end(record_.values), kNoValue);
    }

    bool over() {
        if (board_.moves()) return false;
        board_ = board_.passed();
        black_ = !black_;
        return !board_.moves();
    }
    bool play(int square) {
        const Bits flipped = board_.flips(square);
        if (!flipped || board_.discs() & bit(square)) return false;
        board_ = board_.played(square, flipped);
        black_ = !black_;
        record_.moves[plies_++] = static_cast<std::uint8_t>(square);
        return true;
    }
    void play_random(std::uint64_t& random) {
        const Bits moves = board_.moves();
        play(nth_square(moves,
                        static_cast<int>(next_random(random) % static_cast<unsigned>(popcount(moves)))));
    }
    void end_opening() { record_.opening = static_cast<std::uint8_t>(plies_); }
    int empties() const { return popcount(board_.empty()); }

    // Finds the best move and writes down its value; plays it, or sometimes another.
    void play_next(std::uint64_t& random) {
        const bool solve = empties() <= options_.solve_empties;
        Limits limits;
        limits.depth = solve ? empties() : depth_;
        limits.selectivity = solve ? kExact : options_.selectivity;
        task_.table.new_search();
        Root root(worker_, board_, limits);
        const Schedule schedule(empties(), limits.depth, limits.selectivity, false);
        Step step = schedule.first();
        for (root.search(step); !schedule.last(step); root.search(step)) step = schedule.next(step);
        const int best = root.best_score(), best_move = root.best();
        record_.values[plies_] = static_cast<std::int8_t>(black_ ? best : -best);
        if (options_.exploration && next_random(random) % 100 < static_cast<unsigned>(options_.exploration)) {
            play_random(random);
            end_opening();
        } else {
            play(best_move);
        }
    }

    GameRecord finish() {
        const int score = final_score(board_, 64);
        record_.score = static_cast<std::int8_t>(black_ ? score : -score);
        return record_;
    }

  private:
    Task& task_;
    const SelfplayOptions& options_;
    const int depth_;
    Worker worker_;
    Board board_ = Board::start();
    bool black_ = true;
    int plies_ = 0;
    GameRecord record_{};
};

// Runs `one(task, cache, i)` for every i below count on the given number of threads. Table and cache are
// cleared before each: what is played must not depend on the games before.
template <typename One>
std::vector<GameRecord> run(const Weights* weights, const Networks* networks, const SelfplayOptions& options,
                            std::size_t count, const std::atomic<bool>& stop, One one) {
    std::vector<GameRecord> records(count);
    std::atomic<std::size_t> next{0}, done{0};
    on_threads<Memory>(options.threads, [&](Memory& memory) {
        auto& [table, cache] = memory;
        for (std::size_t i; !stop && (i = next.fetch_add(1)) < count;) {
            table.clear();
            cache.clear();
            Task task(table, weights, networks, options.probcut);
            records[i] = one(task, cache, i);
            done.fetch_add(1);
        }
    });
    // Numbers are handed out in order and each is finished, so the finished games are the first ones.
    records.resize(done);
    return records;
}

GameRecord play_on(Playing& game, std::uint64_t random) {
    game.end_opening();
    while (!game.over()) game.play_next(random);
    return game.finish();
}

}  // namespace

std::vector<GameRecord> selfplay(const Weights* weights, const Networks* networks,
                                 const SelfplayOptions& options, std::uint64_t seed, std::size_t count,
                                 const std::atomic<bool>& stop) {
    return run(weights, networks, options, count, stop, [&](Task& task, EndgameCache& cache, std::size_t i) {
        std::uint64_t random = first_random(seed + i);
        const int range = options.random_max - options.random_min + 1;
        const int opening =
            options.random_min + static_cast<int>(next_random(random) % static_cast<unsigned>(range));
        Playing game(task, cache, options, seed + i);
        for (int ply = 0; ply < opening && !game.over(); ++ply) game.play_random(random);
        return play_on(game, random);
    });
}

std::vector<bool> games_through(std::span<const GameRecord> games, std::span<const Board> boards) {
    std::unordered_multimap<std::uint64_t, Board> known;
    std::array<bool, 65> asked{};  // by empty squares
    for (const Board& board : boards) {
        known.emplace(board.hash(), board);
        asked[popcount(board.empty())] = true;
    }
    const auto listed = [&](const Board& board) {
        if (!asked[popcount(board.empty())]) return false;
        const auto [first, last] = known.equal_range(board.hash());
        return std::any_of(first, last, [&](const auto& entry) { return entry.second == board; });
    };
    std::vector<bool> reached(games.size());
    for (std::size_t g = 0; g < games.size(); ++g) {
        Board board = Board::start();
        bool found = listed(board);
        for (int ply = 0; !found && ply < kGameMoves && games[g].moves[ply] < 64; ++ply) {
            const int square = games[g].moves[ply];
            if (!board.moves()) {
                board = board.passed();
                if (listed(board)) found = true;
            }
            const Bits flipped = board.flips(square);
            if (!flipped || board.discs() & bit(square)) break;
            board = board.played(square, flipped);
            found = found || listed(board);
        }
        reached[g] = found;
    }
    return reached;
}

std::vector<GameRecord> complete_games(const Weights* weights, const Networks* networks,
                                       const SelfplayOptions& options, std::uint64_t seed,
                                       std::span<const GameRecord> games, const std::atomic<bool>& stop) {
    return run(weights, networks, options, games.size(), stop,
               [&](Task& task, EndgameCache& cache, std::size_t i) {
                   const GameRecord& given = games[i];
                   Playing game(task, cache, options, seed + i);
                   for (int ply = 0; ply < std::min<int>(given.opening, kGameMoves) && !game.over(); ++ply)
                       if (given.moves[ply] > 63 || !game.play(given.moves[ply])) break;
                   return play_on(game, first_random(seed + i));
               });
}

}  // namespace othellier
