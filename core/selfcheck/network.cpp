// The networks' part of the self-check: made-up networks keep the eight symmetries, and cut ones are refused.
#include "evaluation/network.h"

#include <algorithm>
#include <set>

#include "selfcheck/selfcheck.h"

using namespace othellier;

namespace {

// One pattern that no symmetry leaves where it is, so that noise need not be tied; then noise.
std::vector<std::byte> made_up_networks() {
    std::vector<std::byte> bytes;
    const auto u8 = [&](unsigned value) { bytes.push_back(static_cast<std::byte>(value & 0xFF)); };
    const auto noise = [&](std::size_t count) {
        while (count--) u8(static_cast<unsigned>(random_bits()));
    };
    constexpr int kPattern[] = {0, 1, 2, 3, 4, 9, 10};
    for (const int number : {Networks::kWidth, Networks::kHidden, Networks::kSecond, Networks::kHeads})
        u8(static_cast<unsigned>(number)), u8(0);
    u8(1), u8(0), u8(std::size(kPattern)), u8(8);
    for (int symmetry = 0; symmetry < 8; ++symmetry)
        for (const int square : kPattern) u8(static_cast<unsigned>(transform_square(square, symmetry)));
    const auto least = [](int square) {
        int found = square;
        for (int symmetry = 0; symmetry < 8; ++symmetry)
            found = std::min(found, transform_square(square, symmetry));
        return found;
    };
    std::set<int> kinds;
    for (int square = 0; square < 64; ++square) kinds.insert(least(square));
    for (int square = 0; square < 64; ++square)
        u8(static_cast<unsigned>(std::distance(kinds.begin(), kinds.find(least(square)))));

    using N = Networks;
    constexpr std::size_t kEntries = power_of_three(std::size(kPattern));
    noise((kEntries + 3 * N::kCounts) * N::kWidth);
    const auto layer = [&](std::size_t inputs, std::size_t outputs) {
        noise(2 * (inputs * outputs + outputs));
        while (outputs--) noise(2), u8(0), u8(0);  // biases that no sum lifts over the edge
    };
    for (int head = 0; head < N::kHeads; ++head) {
        layer(2 * N::kWidth, N::kHidden);
        layer(N::kHidden, N::kSecond);
    }
    noise((kEntries * std::size(kPattern) + N::kKinds * N::kCounts) * N::kPolicyWidth);
    noise(2 * N::kPhases * N::kKinds * 2 * N::kPolicyWidth);
    return bytes;
}

}  // namespace

void check_network() {
    const auto payload = made_up_networks();
    const Networks networks(payload);
    const auto value = [&](const Board& board) {
        return networks.value(networks.features(board), popcount(board.empty()), popcount(board.moves()),
                              popcount(board.passed().moves()));
    };
    for (int game = 0; game < 20; ++game) {
        for (Board board = Board::start(); const Bits moves = board.moves();) {
            for (int symmetry = 1; symmetry < 8; ++symmetry) {
                const Board image = board.transformed(symmetry);
                expect(value(image) == value(board), "a network values mirror images alike");
                for (Bits todo = moves; todo; todo &= todo - 1) {
                    const int square = first_square(todo), empties = popcount(board.empty());
                    expect(networks.score(networks.features(image), empties,
                                          transform_square(square, symmetry)) ==
                               networks.score(networks.features(board), empties, square),
                           "a network scores the moves of mirror images alike");
                }
            }
            board = board.played(
                nth_square(moves, static_cast<int>(random_bits() % static_cast<unsigned>(popcount(moves)))));
        }
    }
    for (std::size_t cut = 1; cut < payload.size(); cut = 3 * cut + 1) {
        bool refused = false;
        try {
            Networks({payload.data(), payload.size() - cut});
        } catch (const WeightsError&) {
            refused = true;
        }
        expect(refused, "networks that were cut are refused");
    }
}
