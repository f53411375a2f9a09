// Parts that the wire, the journal and the state tables encode in the same way: cards, cents, days,
// numbers of enumerations. Decoding is total: a value outside its type's range gives nullopt or
// false.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/balances/posting.h"
#include "meters/facts/award.h"
#include "meters/facts/operator_command.h"
#include "meters/facts/writer_change.h"
#include "meters/game/card.h"
#include "meters/state/claim.h"
#include "meters/state/slip.h"
#include "meters/values/identity.h"
#include "meters/values/limits.h"
#include "meters/values/refusal.h"

namespace linkmeter::parts {

inline std::optional<Amount> decode_cents(std::int64_t cents) {
  constexpr std::int64_t cents_max = limits::lifetime_max.units() / Amount::units_per_cent;
  if (cents > cents_max || cents < -cents_max) return std::nullopt;
  return Amount::cents(cents);
}

template <class Integer>
std::optional<Integer> decode_integer(std::uint64_t value) {
  if (value > std::numeric_limits<Integer>::max()) return std::nullopt;
  return static_cast<Integer>(value);
}

inline std::optional<Seat> decode_seat(std::uint64_t value) {
  const auto seat = decode_integer<std::uint8_t>(value);
  if (!seat) return std::nullopt;
  return Seat(*seat);
}

inline bool decode_level(std::uint32_t value, LevelIndex& level) {
  if (value >= limits::levels_max) return false;
  level = LevelIndex(static_cast<std::uint8_t>(value));
  return true;
}

inline std::optional<Rate> decode_rate(std::uint32_t ppm) {
  if (ppm > Rate::ppm_whole) return std::nullopt;
  return Rate::from_ppm(ppm);
}

// Days since 1970-01-01.
inline std::optional<GamingDay> decode_day(std::uint32_t number) {
  if (number > static_cast<std::uint32_t>(GamingDay::last_number)) return std::nullopt;
  return GamingDay::from_number(static_cast<std::int32_t>(number));
}

// A number that this release does not know is kept.
inline std::optional<Refusal> decode_refusal(std::uint32_t value) {
  const auto number = decode_integer<std::uint8_t>(value);
  if (!number) return std::nullopt;
  return static_cast<Refusal>(*number);
}

// The last value of each enumeration whose numbers are 1, 2, 3, ...
constexpr Account last_of(Account) { return Account::overflow; }
constexpr AwardKind last_of(AwardKind) { return AwardKind::lucky_bonus; }
constexpr ClaimState last_of(ClaimState) { return ClaimState::paid; }
constexpr ClockFault last_of(ClockFault) { return ClockFault::unsynchronised; }
constexpr CorrectionReason last_of(CorrectionReason) { return CorrectionReason::regulator_order; }
constexpr CountKind last_of(CountKind) { return CountKind::chips; }
constexpr Department last_of(Department) { return Department::oversight; }
constexpr EnrolmentKind last_of(EnrolmentKind) { return EnrolmentKind::node; }
constexpr HandReason last_of(HandReason) { return HandReason::other_error; }
constexpr KeyKind last_of(KeyKind) { return KeyKind::journal; }
constexpr RejectReason last_of(RejectReason) { return RejectReason::game_protection; }
constexpr Role last_of(Role) { return Role::auditor; }
constexpr SlipState last_of(SlipState) { return SlipState::paid; }
constexpr TransferReason last_of(TransferReason) { return TransferReason::regulator_order; }
constexpr VoidReason last_of(VoidReason) { return VoidReason::other_error; }
constexpr WriterReason last_of(WriterReason) { return WriterReason::left; }

// nullopt: the enumeration has no such number.
template <class Enumeration>
std::optional<Enumeration> decode_numbered(std::uint32_t number) {
  if (number < 1 || number > static_cast<std::uint32_t>(last_of(Enumeration{}))) {
    return std::nullopt;
  }
  return static_cast<Enumeration>(number);
}

inline std::string encode_cards(const std::vector<Card>& cards) {
  std::string bytes;
  for (const Card card : cards) bytes.push_back(static_cast<char>(card.index()));
  return bytes;
}

inline bool decode_cards(std::string_view bytes, std::vector<Card>& cards) {
  for (const char byte : bytes) {
    const auto index = static_cast<std::uint8_t>(byte);
    if (index >= Card::index_count) return false;
    cards.push_back(Card::from_index(index));
  }
  return true;
}

// 1 table inventory, 2 game account, 3 hand pay.
inline std::uint32_t encode_source(PaymentSource source) {
  return static_cast<std::uint32_t>(source) + 1;
}
inline std::optional<PaymentSource> decode_source(std::uint32_t value) {
  constexpr auto last = static_cast<std::uint32_t>(PaymentSource::hand_pay);
  if (value < 1 || value > last + 1) return std::nullopt;
  return static_cast<PaymentSource>(value - 1);
}

inline bool decode_digest(std::string_view bytes, Digest& digest) {
  if (bytes.size() != digest.size()) return false;
  for (std::size_t index = 0; index < digest.size(); ++index) {
    digest[index] = static_cast<std::uint8_t>(bytes[index]);
  }
  return true;
}

inline std::string encode_digest(const Digest& digest) {
  return std::string(digest.begin(), digest.end());
}

}  // namespace linkmeter::parts
