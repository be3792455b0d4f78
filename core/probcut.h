// Multi-probcut: how far a shallow search may be from a deep one, and how sure we want to be.
#pragma once

#include <array>

namespace othellier {

// Confidence of a cut, in standard deviations and as the percentage shown to people.
struct Selectivity {
    double t;
    int percent;
};
inline constexpr std::array<Selectivity, 6> kSelectivities = {
    {{0.8, 58}, {1.1, 73}, {1.5, 87}, {2.0, 95}, {2.6, 99}, {0.0, 100}}};
inline constexpr int kExact = 5;  // no probcut at all

// Standard deviation, in discs, of (value at depth `deep`) - (value at depth `shallow`), both of one parity,
// and of (exact score) - (value at `shallow`) with `empties` squares empty. Fitted by learn/probcut.py to
// 3,800 positions of our own games searched to every depth up to 9. Measured again with the networks we ship,
// on 2,500 positions, the spread of estimates differs by less than a tenth: (1.723, 4.428, 4.0, 0.1), which
// costs 11 % more nodes on FFO 40-46 and saves none in the middle, so these are kept. For exact scores what
// the tables alone gave is kept too, because searches that are to prepare for the exact one do it better if
// they prune less.
struct ProbcutModel {
    std::array<double, 4> midgame = {1.822, 4.749, 3.75, 0.135};
    std::array<double, 3> endgame = {10.36, -0.1629, 0.095};

    double sigma(int empties, int deep, int shallow) const {
        if (deep >= empties) return (endgame[0] + endgame[1] * empties) / (1 + endgame[2] * shallow);
        const double gap = deep - shallow;
        return (midgame[0] + midgame[1] * gap / (gap + midgame[2])) / (1 + midgame[3] * shallow);
    }
};

}  // namespace othellier
