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
// and of (exact score) - (value at `shallow`) with `empties` squares empty. The numbers are measured by
// `othellier learn probcut` and come from data/probcut.json; unless told, nothing shallow is trusted at all.
struct ProbcutModel {
    std::array<double, 4> midgame = {64, 0, 1, 0};
    std::array<double, 3> endgame = {64, 0, 0};

    double sigma(int empties, int deep, int shallow) const {
        if (deep >= empties) return (endgame[0] + endgame[1] * empties) / (1 + endgame[2] * shallow);
        const double gap = deep - shallow;
        return (midgame[0] + midgame[1] * gap / (gap + midgame[2])) / (1 + midgame[3] * shallow);
    }
};

}  // namespace othellier
