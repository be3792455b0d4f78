// Multi-probcut: how far a shallow search may be from a deep one, and how sure we want to be.
#pragma once

#include <array>
#include <cmath>

namespace othellier {

// Confidence of a cut, in standard deviations and as the percentage shown to people.
struct Selectivity {
    double t;
    int percent;
};
inline constexpr std::array<Selectivity, 6> kSelectivities = {
    {{1.1, 73}, {1.5, 87}, {2.0, 95}, {2.6, 99}, {3.3, 99}, {0.0, 100}}};
inline constexpr int kExact = 5;  // no probcut at all

// Standard deviation, in discs, of (value at `deep`) - (value at `shallow`), with `empties` squares
// empty. The coefficients are fitted by `othellier learn probcut` to searches of our own.
struct ProbcutModel {
    std::array<double, 4> midgame = {2.2, -0.020, 0.10, -0.15};
    std::array<double, 4> endgame = {2.2, 0.03, 0.10, -0.15};

    double sigma(int empties, int deep, int shallow) const {
        const auto& c = deep >= empties ? endgame : midgame;
        const double s = c[0] + c[1] * empties + c[2] * deep + c[3] * shallow;
        return s < 0.7 ? 0.7 : s;
    }
};

}  // namespace othellier
