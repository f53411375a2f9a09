// Identities: each kind of name, index and number has its own type, so that a table cannot be
// passed where a link is expected.
//
// Names (TableId, LinkId, ...) are what people and files use. Indexes (TableIndex, LinkIndex) are
// the positions of tables and links in the Floor. The journal's first entry fixes them for the
// whole journal, and entries refer to tables and links by them.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace linkmeter {

template <class Kind>
class Name {
 public:
  Name() = default;
  explicit Name(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  friend auto operator<=>(const Name&, const Name&) = default;

 private:
  std::string text_;
};

template <class Kind, class Integer>
class Numbered {
 public:
  constexpr Numbered() = default;
  constexpr explicit Numbered(Integer value) : value_(value) {}
  [[nodiscard]] constexpr Integer value() const { return value_; }
  [[nodiscard]] constexpr Numbered next() const {
    return Numbered(static_cast<Integer>(value_ + 1));
  }
  friend constexpr auto operator<=>(Numbered, Numbered) = default;

 private:
  Integer value_ = 0;
};

using LinkId = Name<struct LinkIdKind>;          // "C4-MEGA"
using TableId = Name<struct TableIdKind>;        // "C4-01"
using GameId = Name<struct GameIdKind>;          // "crazy-4"
using WagerId = Name<struct WagerIdKind>;        // "crazy-4/five-card"
using PaytableId = Name<struct PaytableIdKind>;  // "C"
using LevelId = Name<struct LevelIdKind>;        // "main", "mega", "major", "minor"
using LineId = Name<struct LineIdKind>;          // "straight_flush"
using RoundId = Name<struct RoundIdKind>;        // a round, as its table names it: "r1"
using Badge = Name<struct BadgeKind>;            // a person

using TableIndex = Numbered<struct TableIndexKind, std::uint32_t>;  // position in Floor::tables
using LinkIndex = Numbered<struct LinkIndexKind, std::uint32_t>;    // position in Floor::links
using LevelIndex = Numbered<struct LevelIndexKind, std::uint8_t>;  // position in LinkConfig::levels
using Seat = Numbered<struct SeatKind, std::uint8_t>;  // 1: at the dealer's left; 0: the dealer

using EntryNumber = Numbered<struct EntryNumberKind, std::uint64_t>;  // 1, 2, 3, ... in the journal
using MessageNumber = Numbered<struct MessageNumberKind, std::uint64_t>;  // 1, 2, 3, ... per table
using ClaimNumber = Numbered<struct ClaimNumberKind, std::uint64_t>;  // 1, 2, 3, ... per journal
using ProposalNumber = Numbered<struct ProposalNumberKind, std::uint64_t>;  // the same
using SlipNumber = Numbered<struct SlipNumberKind, std::uint64_t>;  // 1, 2, 3, ... per journal

// A SHA-256, computed outside the core. A message's digest distinguishes a repeat from a reused
// number. The digest of a floor file shows that both persons of a change mean the same file.
using Digest = std::array<std::uint8_t, 32>;

// Whether the text can be a name of the floor: 1 to limits::name_length_max characters of A-Z a-z
// 0-9 . _ : / + -
bool is_well_formed_name(std::string_view text);

}  // namespace linkmeter
