// The root of a search: iterative deepening over the root moves, and the line of best play.
#pragma once

#include <vector>

#include "engine.h"
#include "parallel.h"

namespace othellier {

// One step of iterative deepening: how deep, how sure.
struct Step {
    int depth;
    int selectivity;
};

class Root {
  public:
    Root(Worker& worker, const Board& board, const Limits& limits);

    std::vector<Step> schedule() const;
    // Searches all moves at a step; false if stopped before anything new was learnt.
    bool search(const Step& step);
    std::vector<Line> lines(const Step& step);

  private:
    struct RootMove {
        Child child;
        int score = 0, lower = -kInfinity, upper = kInfinity;
    };

    void sort();
    int search_move(RootMove& move, int alpha, int beta, const Step& step);
    void search_around(RootMove& move, int guess, const Step& step);
    std::vector<int> principal_variation(const RootMove& move, const Step& step);
    int follow(const Node& node, int score, const Step& step);

    Worker& worker_;
    Node node_;
    Limits limits_;
    std::vector<RootMove> moves_;
    bool searched_ = false;
};

}  // namespace othellier
