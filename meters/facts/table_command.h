// Command: what may be asked of the controller. Names are still as the outside said them; decide()
// checks every one of them.
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

// A seat's hand. A folded hand, and one that won a pot unseen, may come without cards. `won` is
// what a pot paid the seat, as reported.
struct ShownHand {
  Seat seat;
  std::vector<Card> cards;
  bool folded = false;
  Amount won;
  std::optional<LineId> keyed = {};  // the line that the dealer keyed; it decides nothing
  friend bool operator==(const ShownHand&, const ShownHand&) = default;
};

// "No more bets", with every accepted wager of the round and, where counted, the dealer's chips.
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

// What the table game system drew after the lock. It holds for what is settled from then on. The
// card and the position may come in one message or in two; what was drawn once stays.
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
  std::vector<Card> dealer;  // in the order drawn; empty: not in this message
  std::vector<Card> board;
  Badge by;
  std::optional<Draw> draw = {};
  bool names_dealer = false;  // the message says what the dealer holds, or that it is nothing
  friend bool operator==(const ShowHands&, const ShowHands&) = default;
};

struct CloseRound {
  RoundId round;
  Badge by;
  friend bool operator==(const CloseRound&, const CloseRound&) = default;
};

// Of the whole round, or of one seat's hand alone.
struct VoidRound {
  RoundId round;
  std::string reason;
  Badge by;
  std::optional<Seat> seat = {};
  friend bool operator==(const VoidRound&, const VoidRound&) = default;
};

// A whole poker hand. The gross pot: after the return of an uncalled bet, before rake and
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

// What a table says: its consecutive number makes delivery exactly-once and a gap visible.
struct TableMessage {
  TableId table;
  MessageNumber number;
  Digest digest{};
  Timestamp sent_at;  // the agent's clock
  TableCommand command;
};

// What the signs were told last, in whole cents: by link and level, as far as it is known.
using ShownAmounts = std::vector<std::vector<std::optional<Amount>>>;

// What the report of a gaming day says, as the edge has made it from the journal.
struct DayFinding {
  struct Item {
    std::string difference;
    bool is_open = true;    // nobody has explained this difference
    bool is_claim = false;  // a claim that was not settled when the day ended
    friend bool operator==(const Item&, const Item&) = default;
  };
  Digest report{};                    // SHA-256
  std::map<std::string, Item> items;  // what is not zero, by its name
  friend bool operator==(const DayFinding&, const DayFinding&) = default;
};

// A gaming day is over, as the edge's calendar says.
struct DayEnd {
  GamingDay day;
  Timestamp ends_at;
  ShownAmounts shown;
};

// What a table has counted for itself.
struct TableCounters {
  TableIndex table;
  MessageNumber from;
  MessageNumber up_to;
  std::vector<LinkCount> told;
};

// What a person asks. REQUIRES: whoever makes it has verified that it is that person (SignIn).
struct PersonMessage {
  Badge by;
  OperatorCommand act;
  // The key that he would enrol is the controller's own or its operator's: the edge knows them.
  bool key_is_systems_own = false;
  bool key_is_proved = false;  // the signature of a ReplaceKey is by the key in force
  bool is_witnessed = false;   // whom second_pin_of() names has given his PIN to it
  // Where he says something of a gaming day: its report; nullptr: there is none yet.
  const DayFinding* finding = nullptr;
  const ShownAmounts* shown = nullptr;  // where he takes a reading
  Refusal new_pin = Refusal::none;      // what the edge found wrong with the PIN that the act sets
  // For an act that proposes or confirms other parameters: the rules that the edge resolved from
  // its texts together with its floor; nullptr: the texts do not resolve to that floor.
  const FloorRules* proposed = nullptr;
};

// A sign-in, as the edge found it: the PIN was right, or not.
struct SignIn {
  Badge badge;
  bool is_good = false;
  bool is_at_control = false;  // at DIR/control: a right PIN ends a lock that ends by itself
};

// The copy of a slip is on the disk of whoever keeps it: the edge says which bytes.
struct SlipCopy {
  SlipNumber slip;
  Digest digest{};  // SHA-256
};

// The system found that a table's key is in two hands, or the like: it takes no new round.
struct SelfFreeze {
  TableIndex table;
  std::string reason;  // a well-formed text of at most limits::reason_length_max bytes
};

// The system found a link not fit to operate (L3). The reason is for the sign, the tables and the
// journal: a well-formed text of at most limits::reason_length_max bytes.
struct SelfSuspension {
  LinkIndex link;
  std::string reason;
  // Whoever resumes the link has to read this reason, also where the link is suspended for another
  // one: then it is added to that one.
  bool is_always_shown = false;
};

}  // namespace linkmeter
