#include "patterns.h"

#include <bit>
#include <cstring>

namespace othellier {

namespace {

// Reads little-endian numbers one after the other and refuses to run past the end.
class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    int u8() { return static_cast<int>(take(1)[0]); }
    int u16() {
        const auto b = take(2);
        return static_cast<int>(b[0]) | static_cast<int>(b[1]) << 8;
    }
    std::span<const std::byte> take(std::size_t n) {
        if (n > bytes_.size() - at_) throw WeightsError("the weights end too early");
        const auto part = bytes_.subspan(at_, n);
        at_ += n;
        return part;
    }
    bool at_end() const { return at_ == bytes_.size(); }

  private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0;
};

int power_of_three(int n) {
    int p = 1;
    while (n-- > 0) p *= 3;
    return p;
}

}  // namespace

Weights::Weights(std::span<const std::byte> payload) : steps_(64), double_steps_(64) {
    Reader in(payload);

    // 1. Scale and number of phases.
    unit_ = in.u16();
    phases_ = in.u16();
    if (unit_ == 0 || !std::has_single_bit(static_cast<unsigned>(unit_)))
        throw WeightsError("the unit of the weights is not a power of two");
    unit_shift_ = std::countr_zero(static_cast<unsigned>(unit_));
    if (phases_ < 1 || phases_ > 61) throw WeightsError("the weights have no sensible number of phases");

    // 2. Geometry: pattern types, each with its instances on the board.
    const int types = in.u16();
    std::int32_t size = 0;
    for (int t = 0; t < types; ++t) {
        const int squares = in.u8(), instances = in.u8();
        if (squares < 1 || squares > 10) throw WeightsError("a pattern must have 1 to 10 squares");
        if (instances < 1 || feature_count_ + instances > kMaxFeatures)
            throw WeightsError("the weights have more pattern instances than the core can hold");
        const int entries = power_of_three(squares);
        for (int i = 0; i < instances; ++i, ++feature_count_) {
            offsets_[feature_count_] = size + entries / 2;
            Bits seen = 0;
            for (int s = 0, power = 1; s < squares; ++s, power *= 3) {
                const int square = in.u8();
                if (square > 63 || seen & bit(square))
                    throw WeightsError("a pattern names a square twice or off the board");
                seen |= bit(square);
                steps_[square][feature_count_] = static_cast<std::uint16_t>(power);
                double_steps_[square][feature_count_] = static_cast<std::uint16_t>(2 * power);
            }
        }
        size += entries;
    }
    mobility_offset_ = size;
    phase_size_ = static_cast<std::size_t>(size) + 2 * kMobilityTerms;

    // 3. The tables, phase after phase, in the order of the types, mobility last.
    const std::size_t count = phase_size_ * static_cast<std::size_t>(phases_);
    const auto bytes = in.take(2 * count);
    if (!in.at_end()) throw WeightsError("the weights go on after their end");
    tables_.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        tables_[i] = static_cast<std::int16_t>(static_cast<unsigned>(bytes[2 * i]) |
                                               static_cast<unsigned>(bytes[2 * i + 1]) << 8);
}

Features Weights::features(const Board& board) const {
    Features::Lanes sum{};
    for (Bits b = board.player; b; b &= b - 1) sum += steps_[first_square(b)];
    for (Bits b = board.opponent; b; b &= b - 1) sum -= steps_[first_square(b)];
    return {sum};
}

}  // namespace othellier
