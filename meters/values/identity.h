// Identities: every name and every number that points at something is a type of its own, so that a
// table can never be passed where a link is meant.
//
// Names (TableId, LinkId, ...) are what people and files say. Places (TableIndex, LinkIndex) are
// the position of a table or link in the Floor, as fixed by the journal's first entry: small, for
// ever the same within one journal, and what entries carry.
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
using RoundId = Name<struct RoundIdKind>;        // the table's own name of a round: "r1"
using Badge = Name<struct BadgeKind>;            // a person

using TableIndex = Numbered<struct TablePlaceKind, std::uint32_t>;  // position in Floor::tables
using LinkIndex = Numbered<struct LinkPlaceKind, std::uint32_t>;    // position in Floor::links
using LevelIndex = Numbered<struct LevelPlaceKind, std::uint8_t>;  // position in LinkConfig::levels
using Seat = Numbered<struct SeatKind, std::uint8_t>;  // 1 is at the dealer's left; 0 is the dealer

using EntryNumber = Numbered<struct EntryNumberKind, std::uint64_t>;  // 1, 2, 3, ... in the journal
using MessageNumber = Numbered<struct MessageNumberKind, std::uint64_t>;  // 1, 2, 3, ... per table
using ClaimNumber = Numbered<struct ClaimNumberKind, std::uint64_t>;  // 1, 2, 3, ... per journal
using ProposalNumber = Numbered<struct ProposalNumberKind, std::uint64_t>;  // the same
using SlipNumber = Numbered<struct SlipNumberKind, std::uint64_t>;  // the same, over the house

// SHA-256, made at the edge: of a message's bytes it tells a repeat from a reused number, of a
// floor file that both persons mean the same one.
using Digest = std::array<std::uint8_t, 32>;

// A name of the floor, from a file: 1 to limits::name_length_max characters of A-Z a-z 0-9 . _ : /
// + -
bool is_well_formed_name(std::string_view text);

}  // namespace linkmeter
