// Monte-Carlo tree search with UCB1, the fast twin of search/mcts.py: for the same options and seed it
// builds the same tree and plays the same move. The tree is kept from one search to the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "board/board.h"
#include "board/random.h"
#include "classic/classic.h"
#include "search/turn.h"

namespace othellier::mcts {

enum class Rollout { kRandom, kWeighted, kGreedy };

struct Options {
    double c = 1.5;
    Rollout rollout = Rollout::kRandom;
    std::vector<int> values;  // of the squares, in the shape's own numbering, for the rollouts
    bool table = false, symmetry = false, keep = true;
    std::uint64_t seed = 0;
    std::uint64_t max_nodes = 2'000'000;
};

// One of the first moves: the share of points won with it, and how often it was tried.
struct MoveValue {
    int move = 0;
    double value = 0;
    std::uint32_t visits = 0;
};

struct Outcome {
    double value = 0;       // share of points won by the move
    std::vector<int> line;  // in the shape's own numbering
    std::vector<MoveValue> moves;
    classic::Counters counters;
};

class Mcts {
  public:
    Mcts(const Shape& shape, const Options& options);

    const Shape& shape() const { return shape_; }

    // One at a time: throws TurnTaken while another search of this tree is under way, also one that a fork
    // has left behind half done. The position must have a move. Without iterations the time (in seconds) ends
    // the search, without either `stop` does, which is asked now and then and may throw.
    Outcome search(Board board, std::optional<std::uint64_t> iterations, std::optional<double> time,
                   const std::function<bool()>& stop);

  private:
    using Index = std::uint32_t;
    static constexpr Index kNone = ~Index{0};

    struct Edge {
        Index child;
        std::int8_t move;
    };
    // A node has `places` edges from `edges` on: the tried moves with their children first, the untried
    // ones, last first, at the end. They are laid out when the first of them is tried.
    struct Node {
        Board board;
        std::uint32_t visits = 0;
        std::uint32_t wins = 0;  // half points of the side that moved here
        Index edges = kNone;
        std::uint8_t places = 0, tried = 0, untried = 0;
        bool over = false;
    };
    struct BoardHash {
        std::size_t operator()(const Board& b) const { return b.hash(); }
    };
    using Known = std::unordered_map<Board, Index, BoardHash>;

    Index begin(const Board& board);
    void forget_all_but(Index root);
    void iterate();
    Index expand(Index node, bool& fresh);
    Index select(const Node& node) const;
    Index add(Board board, bool& fresh);
    int play_out(Board board, bool hostile);
    int choose(Bits moves, bool hostile);
    const Edge* best_edge(const Node& node) const;

    bool merges() const { return options_.table || options_.symmetry; }
    bool square_shape() const { return shape_.rows == shape_.columns; }

    std::atomic<bool> busy_{false};
    const Shape shape_;
    const Options options_;
    const Bits playable_;
    std::array<int, 64> values_{};  // on the grid, shifted to 1 and more
    Random random_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    Known known_;
    Index root_ = kNone;
    classic::Counters counters_;
    std::vector<Index> path_;
};

}  // namespace othellier::mcts
