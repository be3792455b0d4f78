// The root of a search: iterative deepening over the root moves, and the line of best play.
#pragma once

#include <vector>

#include "search/engine.h"
#include "search/parallel.h"
#include "search/schedule.h"

namespace othellier {

class Root {
  public:
    Root(Worker& worker, const Board& board, const Limits& limits);

    // Searches all moves at a step. When it is stopped in the middle, moves it has searched are put in order
    // and the others stay behind them: the former best comes first, and only what proved better passes it.
    void search(const Step& step);
    std::vector<Line> lines();
    int best() const { return moves_.front().child.square; }
    int best_score() const { return moves_.front().score; }
    Bounds proven() const;  // of the position's value, by all exact searches so far, broken off or not

  private:
    // What is known of a move, all of it from one step: the last that finished with it.
    struct RootMove {
        Child child;
        int score = 0, lower = -kInfinity, upper = kInfinity;
        Step step;
        std::vector<int> pv;  // empty until it is asked for
        Bounds proven;        // of the move's value: what holds for good, whatever the step
    };

    void sort(std::size_t count);
    std::size_t settle_winner(const Step& step);
    std::size_t search_moves(const Step& step);
    int bar(std::size_t count) const;
    int search_move(RootMove& move, int alpha, int beta, const Step& step);
    void search_around(RootMove& move, int guess, const Step& step);
    std::vector<int> principal_variation(const RootMove& move);
    int follow(const Node& node, int score, int depth);

    Worker& worker_;
    Node node_;
    Limits limits_;
    std::vector<RootMove> moves_;
};

}  // namespace othellier
