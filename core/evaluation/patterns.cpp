#include "evaluation/patterns.h"

namespace othellier {

std::span<const std::byte> Reader::take(std::size_t n) {
    if (n > bytes_.size() - at_) throw WeightsError("the weights end too early");
    const auto part = bytes_.subspan(at_, n);
    at_ += n;
    return part;
}

void Reader::end() const {
    if (at_ != bytes_.size()) throw WeightsError("the weights go on after their end");
}

void Patterns::read(Reader& in) {
    const int types = in.u16();
    for (int t = 0; t < types; ++t) {
        const int squares = in.u8(), instances = in.u8();
        if (squares < 1 || squares > 10) throw WeightsError("a pattern must have 1 to 10 squares");
        if (instances < 1 || feature_count_ + instances > kMaxFeatures)
            throw WeightsError("the weights have more pattern instances than the core can hold");
        const int entries = power_of_three(squares);
        for (int i = 0; i < instances; ++i, ++feature_count_) {
            offsets_[feature_count_] = entries_ + entries / 2;
            squares_.push_back(in.numbers<std::uint8_t>(static_cast<std::size_t>(squares)));
            Bits seen = 0;
            int power = 1;
            for (const int square : squares_.back()) {
                if (square > 63 || seen & bit(square))
                    throw WeightsError("a pattern names a square twice or off the board");
                seen |= bit(square);
                steps_[square].set(feature_count_, power);
                double_steps_[square].set(feature_count_, 2 * power);
                power *= 3;
            }
        }
        entries_ += entries;
    }
}

Weights::Weights(std::span<const std::byte> payload) {
    Reader in(payload);

    // 1. Scale and number of phases.
    unit_ = in.u16();
    phases_ = in.u16();
    if (unit_ == 0 || !std::has_single_bit(static_cast<unsigned>(unit_)))
        throw WeightsError("the unit of the weights is not a power of two");
    unit_shift_ = std::countr_zero(static_cast<unsigned>(unit_));
    if (phases_ < 1 || phases_ > 61) throw WeightsError("the weights have no sensible number of phases");

    // 2. Geometry: pattern types, each with its instances on the board.
    read(in);
    phase_size_ = static_cast<std::size_t>(entries_) + 2 * kMobilityTerms;

    // 3. The tables, phase after phase, in the order of the types, mobility last.
    tables_ = in.numbers<std::int16_t>(phase_size_ * static_cast<std::size_t>(phases_));
    in.end();
}

Features Patterns::features(const Board& board) const {
    Features player{}, opponent{};
    for (Bits b = board.player; b; b &= b - 1) player.add(steps_[first_square(b)]);
    for (Bits b = board.opponent; b; b &= b - 1) opponent.add(steps_[first_square(b)]);
    player.add(opponent.negated());
    return player;
}

}  // namespace othellier
