// TableCommand: what tables, people and the system's own parts ask the controller to decide. Names
// are unchecked input; decide() checks each of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "meters/facts/operator_command.h"
#include "meters/floor/floor.h"
#include "meters/game/card.h"
#include "meters/game/game_rules.h"
#include "meters/values/amount.h"
#include "meters/values/identity.h"
#include "meters/values/refusal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct AskedWager {
  Seat seat;
  WagerId wager;
  Amount amount;
  bool on_dealer = false;  // Hand Bonus: on the dealer's hand; else on the seat's own
  friend bool operator==(const AskedWager&, const AskedWager&) = default;
};

// A seat's hand. A folded hand, or one that won a pot without a showdown, may have no cards. `won`
// is what the pot paid the seat, as reported.
struct ShownHand {
  Seat seat;
  std::vector<Card> cards;
  bool folded = false;
  Amount won;
  std::optional<LineId> keyed = {};  // the line that the dealer keyed; it has no effect
  friend bool operator==(const ShownHand&, const ShownHand&) = default;
};

// "No more bets", with every accepted wager of the round and, if counted, the dealer's chips.
struct LockRound {
  RoundId round;
  std::vector<AskedWager> wagers;
  std::optional<std::uint32_t> chips;
  Badge by;
  friend bool operator==(const LockRound&, const LockRound&) = default;
};

// A floorperson's corrected list after a wrong chip count.
struct ResolveCount {
  RoundId round;
  std::vector<AskedWager> wagers;
  Badge by;
  friend bool operator==(const ResolveCount&, const ResolveCount&) = default;
};

// What the table game system drew after the lock. It applies to everything settled from then on.
// The card and the position may come in one message or in two; a drawn value never changes.
struct Draw {
  std::optional<Card> magic;  // the Magic Card
  std::optional<Seat> seat;   // the Lucky position; 0 is the dealer's

  [[nodiscard]] bool contradicts(const Draw& later) const;
  [[nodiscard]] Draw with(const Draw& later) const;
  friend bool operator==(const Draw&, const Draw&) = default;
};

struct ShowHands {
  RoundId round;
  std::vector<ShownHand> hands;
  std::vector<Card> dealer;  // in drawing order; empty: not in this message
  std::vector<Card> board;
  Badge by;
  std::optional<Draw> draw = {};
  bool names_dealer = false;  // the message states the dealer's cards, or that there are none
  friend bool operator==(const ShowHands&, const ShowHands&) = default;
};

struct CloseRound {
  RoundId round;
  Badge by;
  friend bool operator==(const CloseRound&, const CloseRound&) = default;
};

// Voids the whole round, or one seat's hand.
struct VoidRound {
  RoundId round;
  std::string reason;
  Badge by;
  std::optional<Seat> seat = {};
  friend bool operator==(const VoidRound&, const VoidRound&) = default;
};

// A complete poker hand. `pot` is gross: after the return of an uncalled bet, before rake and
// contribution.
struct PlayPot {
  RoundId round;
  Amount pot;
  std::vector<Card> board;
  bool showdown = false;
  std::vector<ShownHand> hands;
  Badge by;
  friend bool operator==(const PlayPot&, const PlayPot&) = default;
};

using TableCommand =
    std::variant<LockRound, ResolveCount, ShowHands, CloseRound, VoidRound, PlayPot>;

// A message of a table. Its consecutive number makes delivery exactly-once and a gap visible.
struct TableMessage {
  TableId table;
  MessageNumber number;
  Digest digest{};
  Timestamp sent_at;  // the agent's clock
  TableCommand command;
};

// The amounts last published to the signs, in whole cents, by link and level, if known.
using ShownAmounts = std::vector<std::vector<std::optional<Amount>>>;

// The differences in the report of a gaming day, which the controller makes from the journal.
struct DayFinding {
  struct Item {
    std::string difference;
    bool is_open = true;    // the difference has no explanation
    bool is_claim = false;  // an unsettled claim at the end of the day
    friend bool operator==(const Item&, const Item&) = default;
  };
  Digest report{};                    // SHA-256
  std::map<std::string, Item> items;  // differences that are not zero, by name
  friend bool operator==(const DayFinding&, const DayFinding&) = default;
};

// A gaming day is over, according to the controller's calendar.
struct DayEnd {
  GamingDay day;
  Timestamp ends_at;
  ShownAmounts shown;
};

// The counters that a table keeps itself.
struct TableCounters {
  TableIndex table;
  MessageNumber from;
  MessageNumber up_to;
  std::vector<LinkCount> reported;
};

// A person's command. REQUIRES: the caller has verified the person (SignIn).
struct PersonMessage {
  Badge by;
  OperatorCommand act;
  // The key to be enrolled is the controller's own or its operator's; the controller finds this.
  bool key_is_systems_own = false;
  bool key_is_proved = false;  // the key in force made the signature of a ReplaceKey
  bool is_witnessed = false;   // the person of second_pin_of() confirmed it with a PIN
  // For an act about a gaming day: its report; nullptr: not made yet.
  const DayFinding* finding = nullptr;
  const ShownAmounts* shown = nullptr;  // for a reading
  Refusal new_pin = Refusal::none;      // why the PIN that the act sets is not acceptable
  // For an act that proposes or confirms other parameters: the rules that the controller
  // resolved from its texts together with its floor; nullptr: the texts do not resolve to that
  // floor.
  const FloorRules* proposed = nullptr;
};

// A sign-in, and whether its PIN was correct. The controller verifies it.
struct SignIn {
  Badge badge;
  bool is_good = false;
  bool is_at_control = false;  // at DIR/control: a correct PIN ends a lock that ends by itself
};

// The copy of a slip is on disk. The controller has hashed its bytes.
struct SlipCopy {
  SlipNumber slip;
  Digest digest{};  // SHA-256
};

// The system freezes a table, for instance because two agents use its key: the table takes no new
// round.
struct SelfFreeze {
  TableIndex table;
  std::string reason;  // a well-formed text of at most limits::reason_length_max bytes
};

// The system suspends a link that is not fit to operate (L3). The reason goes to the sign, the
// tables and the journal: a well-formed text of at most limits::reason_length_max bytes.
struct SelfSuspension {
  LinkIndex link;
  std::string reason;
  // The person who resumes the link must read this reason, so it is added to the reason of a link
  // that is suspended already.
  bool is_always_shown = false;
};

}  // namespace linkmeter
