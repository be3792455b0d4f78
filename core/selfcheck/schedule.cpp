// When a move has been thought about long enough, where a clock must last for the whole game.
#include "search/schedule.h"

#include <initializer_list>
#include <utility>

#include "selfcheck/selfcheck.h"

using namespace othellier;

namespace {

constexpr int kFirstDepth = 8;

// Whether it is, after so many seconds of a usual one, with these best moves and scores at depth 8, 9, ...
bool over(std::initializer_list<std::pair<int, int>> steps, double seconds) {
    Patience patience(1.0, 5);
    bool found = false;
    int depth = kFirstDepth;
    for (const auto& [move, score] : steps) found = patience.over(move, score, {depth++, kExact}, seconds);
    return found;
}

}  // namespace

void check_patience() {
    expect(!over({{1, 4}, {1, 4}, {1, 4}}, 0.69) && over({{1, 4}, {1, 4}, {1, 4}}, 0.7),
           "a move that has stood for two steps takes less time");
    expect(!over({{1, 4}, {1, 4}, {1, 4}, {1, 4}, {1, 4}}, 0.49) &&
               over({{1, 4}, {1, 4}, {1, 4}, {1, 4}, {1, 4}}, 0.5),
           "a move that has stood for four steps takes half the time");
    expect(!over({{1, 4}, {1, 4}, {1, 4}, {2, 4}}, 1.49) && over({{1, 4}, {1, 4}, {1, 4}, {2, 4}}, 1.5),
           "a move that has just changed takes more time");
    expect(!over({{1, 8}, {1, 8}, {1, 8}, {1, 8}, {1, 4}}, 1.49) &&
               over({{1, 8}, {1, 8}, {1, 8}, {1, 8}, {1, 4}}, 1.5),
           "a move whose value has fallen takes more time");
    expect(over({{1, 4}, {1, 4}, {1, 4}, {1, 4}, {1, 8}}, 0.5),
           "a move whose value has risen takes no more time");
    Patience alone(1.0, 1), early(1.0, 5), endless(kNoTimeLimit, 5);
    expect(alone.over(1, 0, {kFirstDepth, kExact}, 0.0), "a move without a choice takes no time");
    expect(!early.over(1, 0, {kFirstDepth - 1, kExact}, 9.0), "no move is made before depth 8");
    expect(!endless.over(1, 0, {kFirstDepth, kExact}, 1e9), "without a clock there is no hurry");
}
