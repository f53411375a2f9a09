// Table round: what an agent with a device or a panel knows of its table's latest round, beyond
// what the outbox holds: how far it is, its wagers, and what the lights show. It is stored as the
// play's place, in the same commit as the message or the answer that moves it, so that a restart in
// the middle of a round goes on exactly where it was.
//
// Laws: what is said once for a round is known by its fingerprint, and is not said again when the
// device or the dealer repeats it after a restart; unless the controller refused it, for then
// nothing came of it. No light of a wager is on unless its lock was acknowledged as accepted. A
// round that the controller calls closed, or does not know, is over. What a person made of a hand
// counts, as the controller tells it: it is not what the dealer said, so it is told anew after a
// restart; what is owed for it is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/outbox.h"
#include "table-agent/link/table_agent.h"

namespace linkmeter {

struct RoundRecord {
  enum class Phase : std::uint8_t {
    over,       // closed, voided, refused and cleared, or none yet: the next may open
    submitted,  // the lock is in the outbox, its answer is not there
    counted,    // accepted: contributions have accrued
    blocked,    // the count was wrong
    refused,    // the lock was refused: no wager of it counts
    ending,     // close or void is in the outbox
  };
  enum class Light : std::uint8_t { off, accepted, refused, returned };

  // An event by its fingerprint, and the message that it became; 0: none was needed.
  struct Submitted {
    std::uint64_t event = 0;
    MessageNumber number;
    friend bool operator==(const Submitted&, const Submitted&) = default;
  };

  // A show that is in the outbox or was accepted.
  struct Shown {
    MessageNumber number;
    ShowHands show;
    bool is_answered = false;
    friend bool operator==(const Shown&, const Shown&) = default;
  };

  // What a person made of a hand that was shown; nullopt: the seat has none.
  struct Correction {
    Seat seat;
    std::optional<ShownHand> hand;
    friend bool operator==(const Correction&, const Correction&) = default;
  };

  // Somebody changed what the table had shown.
  struct Change {
    EntryNumber by;
    // The dealer's side as it was told then. It includes the shows up to this one's number.
    Shown side;
    friend bool operator==(const Change&, const Change&) = default;
  };

  std::string house;  // of this outbox: so that a new one names its rounds differently
  std::uint64_t number = 0;
  Phase phase = Phase::over;
  Light light = Light::off;
  std::optional<std::uint32_t> chips;           // the dealer's count
  std::optional<std::uint32_t> chips_expected;  // of a blocked round
  Refusal why = Refusal::none;                  // of a refused one
  std::vector<AskedWager> wagers;
  std::vector<AwardNotice> wins;
  std::vector<Submitted> submitted;  // what was not refused
  // As somebody else named it: a script (not stored), or an agent whose outbox is lost (stored).
  RoundId named = {};
  // It was open when this outbox took over the table, and nobody has said what becomes of it.
  bool is_left_open = false;
  Timestamp left_open_since = {};         // when that round was locked; 0: not known
  std::vector<Shown> shows;               // of what was not refused: what lies open on the table
  std::vector<Correction> corrections;    // of these; not stored
  std::vector<AskedWager> returned = {};  // of hands that are void
  std::vector<Seat> void_seats = {};      // whose hands are
  std::vector<AwardNotice> to_take_back = {};  // paid for what is void or was corrected
  std::vector<AwardNotice> paid_before = {};   // of wins: paid at once, before the last change
  std::optional<Change> change = {};           // the last one that was told
  // What answers have brought since the controller told the hands last, and the entry; not stored.
  std::vector<std::pair<EntryNumber, AwardNotice>> won_since = {};
  std::map<Seat, EntryNumber> hands_by;  // what says which hand counts, as far as known; not stored

  // As the outbox has it; of a new outbox, with a name that was never given before. Throws Fault if
  // the place cannot be read.
  static RoundRecord at(std::string_view place, const std::function<std::string()>& new_word);
  // The next round, its lock in the outbox.
  [[nodiscard]] RoundRecord next(const LockRound& lock) const;
  // The next round, a pot in the outbox that came as this event: it begins and ends with it.
  [[nodiscard]] RoundRecord next(std::string_view event, MessageNumber message) const;
  // The next round: one that is open at the controller, and was said from an outbox that is lost.
  [[nodiscard]] RoundRecord next(const OpenRound& open) const;
  // This round with a command in the outbox that came as this event.
  [[nodiscard]] RoundRecord after(const TableCommand& command, std::string_view event,
                                  MessageNumber number) const;
  // May the command be said now? (What the controller would refuse is told at once.)
  [[nodiscard]] Refusal hindrance(const TableCommand& command, bool lock_is_answered) const;
  // REQUIRES: the command is of this round.
  void on_reply(const TableCommand& command, const Answered& answered);
  // Returns whether what is stored has changed.
  bool on_hands(const std::vector<RoundHands>& rounds);
  // The hands that count, in the order in which they were shown.
  [[nodiscard]] std::vector<ShownHand> hands() const;
  [[nodiscard]] const Correction* correction_of(Seat seat) const;
  // Is the seat's show without an answer?
  [[nodiscard]] bool is_waiting(Seat seat) const;
  // The seat's hand, as it counts; null: not shown yet, or shown no more.
  [[nodiscard]] const ShownHand* hand_of(Seat seat) const;
  [[nodiscard]] bool has_wager(Seat seat) const;
  [[nodiscard]] std::vector<Card> dealer() const;
  [[nodiscard]] std::vector<Card> board() const;
  [[nodiscard]] std::optional<Draw> draw() const;
  [[nodiscard]] bool is_void(Seat seat) const;
  // The seat's hand was corrected, and the controller has not told yet what that left as it was: of
  // a controller of an older release, or while a show waits for its answer.
  [[nodiscard]] bool is_correction_unreported(Seat seat) const;
  // The award was won before the last change that was told, and that change left it as it was: the
  // dealer was told then to pay it.
  [[nodiscard]] bool was_paid_before(const AwardNotice& award) const;
  // An answer has raised the claim, and the controller has told no claims and hands since then.
  [[nodiscard]] bool has_just_raised(ClaimNumber claim) const;

  // What the device shows of the round, one line of the picture each.
  [[nodiscard]] std::multiset<std::string> lights() const;

  // "v1f00ba5e-000012".
  [[nodiscard]] RoundId id() const { return named.empty() ? id_of(number) : named; }
  [[nodiscard]] RoundId next_id() const { return id_of(number + 1); }
  [[nodiscard]] bool was_submitted(std::string_view event) const;
  void note_submitted(std::string_view event, MessageNumber number);

  [[nodiscard]] std::string place() const;
  // nullopt: not what place() writes.
  static std::optional<RoundRecord> read(std::string_view place);
  friend bool operator==(const RoundRecord&, const RoundRecord&) = default;

 private:
  [[nodiscard]] const ShownHand* submitted_hand(Seat seat) const;
  // What makes up the dealer's side: the last change, and the shows that came after it.
  [[nodiscard]] std::vector<const ShowHands*> dealer_side_facts() const;
  // What the seat's own hand brought is this. Returns whether it is something else.
  bool replace_wins(Seat seat, const std::vector<AwardNotice>& awards);
  bool on_hand(const HandNotice& hand);
  // `before`: what the round had brought before anything of `told` was heard.
  bool on_change(const RoundHands& told, const std::vector<AwardNotice>& before);
  // `before`: what the round had brought before that change.
  bool on_wins(const RoundHands& told, const std::vector<AwardNotice>& before);
  bool on_dealer_side(const RoundHands& told);
  void on_void(const VoidRound& voided, const Answered& answered);
  // It is shown anew, where a person took it back; and that was accepted.
  void forget(Seat seat);
  void on_shown(Seat seat, const Answered& answered);
  // The seat's hand was shown, and counts no more.
  bool take_back(Seat seat);
  void on_lock(const Answered& answered);
  void on_refusal(const TableCommand& command, const Answered& answered);
  [[nodiscard]] RoundId id_of(std::uint64_t number) const;
};

// "light 2 crazy-4/five-card 500 own accepted".
std::string light_text(const AskedWager& wager, std::string_view state);

// Round commands: what the play of a table has said of its round and has no answer to. They are
// in the outbox; here they are commands again, so that an answer can be understood.

class RoundCommands {
 public:
  // Of what the outbox holds, what is of this round.
  RoundCommands(const std::vector<StoredMessage>& unacknowledged, const RoundId& round);

  void add(MessageNumber number, TableCommand command);
  // The command of this message, which has its answer now; nullopt: none of these.
  std::optional<TableCommand> take(MessageNumber number);
  [[nodiscard]] bool has_lock() const;
  [[nodiscard]] bool has_pot() const;
  // A close or a void.
  [[nodiscard]] bool has_end() const;

 private:
  std::map<MessageNumber, TableCommand> commands_;
};

}  // namespace linkmeter
