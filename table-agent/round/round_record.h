// RoundRecord: what an agent with a device or a panel knows about its table's latest round beyond
// the outbox: its phase, its wagers, and what the lights show. It is stored as the driver's
// position, in the same commit as the message or answer that changes it, so a restart in the middle
// of a round continues exactly there.
//
// Laws: an event that is submitted once for a round is known by its fingerprint. It is not
// submitted again when the device or the dealer repeats it after a restart, unless the controller
// refused it, because then it had no effect. No light of a wager is on unless its lock was
// acknowledged as accepted. A round that the controller calls closed or does not know is over. A
// person's correction of a hand counts, as the controller reports it. It did not come from the
// dealer, so it is not stored; the controller reports it again after a restart. The amounts owed
// for it are stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "meters/facts/table_command.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/outbox.h"
#include "table-agent/link/table_agent.h"

namespace linkmeter {

struct RoundRecord {
  enum class Phase : std::uint8_t {
    over,       // closed, voided, refused and cleared, or no round yet: the next may open
    submitted,  // the lock is in the outbox and has no answer
    counted,    // accepted: contributions have accrued
    blocked,    // the count was wrong
    refused,    // the lock was refused: none of its wagers counts
    ending,     // close or void is in the outbox
  };
  enum class Light : std::uint8_t { off, accepted, refused, returned };

  // An event by its fingerprint, and the message that it became; 0: it needed no message.
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

  // A person's correction of a shown hand; nullopt: the seat has no hand.
  struct Correction {
    Seat seat;
    std::optional<ShownHand> hand;
    friend bool operator==(const Correction&, const Correction&) = default;
  };

  // A person changed what the table had shown.
  struct Change {
    EntryNumber by;
    // The dealer's side as reported then. It includes the shows up to this one's number.
    Shown side;
    friend bool operator==(const Change&, const Change&) = default;
  };

  std::string house;  // names this outbox, so that a new outbox names its rounds differently
  std::uint64_t number = 0;
  Phase phase = Phase::over;
  Light light = Light::off;
  std::optional<std::uint32_t> chips;           // the dealer's count
  std::optional<std::uint32_t> chips_expected;  // of a blocked round
  Refusal why = Refusal::none;                  // of a refused round
  std::vector<AskedWager> wagers;
  std::vector<AwardNotice> wins;
  std::vector<Submitted> submitted;  // not refused
  // The name given by another program: a script (not stored), or an agent whose outbox is lost
  // (stored).
  RoundId named = {};
  // The round was open when this outbox took over the table, and nobody has decided about it.
  bool is_left_open = false;
  Timestamp left_open_since = {};              // when that round was locked; 0: not known
  std::vector<Shown> shows;                    // not refused: what is open on the table
  std::vector<Correction> corrections;         // of these; not stored
  std::vector<AskedWager> returned = {};       // of void hands
  std::vector<Seat> void_seats = {};           // the seats of void hands
  std::vector<AwardNotice> to_take_back = {};  // paid for void or corrected hands
  // Those of `wins` that were paid at once, before the last change.
  std::vector<AwardNotice> paid_before = {};
  std::optional<Change> change = {};  // the last one that was reported
  // Awards from answers since the controller last reported the hands, with their entries; not
  // stored.
  std::vector<std::pair<EntryNumber, AwardNotice>> won_since = {};
  // The entry that records each hand that counts, as far as known; not stored.
  std::map<Seat, EntryNumber> hands_by;

  // Reads the record from the outbox. A new outbox gets a name that was never used before. Throws
  // Fault if the position cannot be read.
  static RoundRecord at(std::string_view place, const std::function<std::string()>& new_word);
  // The next round, with its lock in the outbox.
  [[nodiscard]] RoundRecord next(const LockRound& lock) const;
  // The next round: a pot in the outbox, submitted by this event. It begins and ends with it.
  [[nodiscard]] RoundRecord next(std::string_view event, MessageNumber message) const;
  // The next round: one that is open at the controller and was submitted from an outbox that is
  // lost.
  [[nodiscard]] RoundRecord next(const OpenRound& open) const;
  // This round with a command in the outbox, submitted by this event.
  [[nodiscard]] RoundRecord after(const TableCommand& command, std::string_view event,
                                  MessageNumber number) const;
  // Why the command may not be submitted now, or Refusal::none. The controller would refuse it too.
  [[nodiscard]] Refusal refusal_now(const TableCommand& command, bool lock_is_answered) const;
  // REQUIRES: the command is of this round.
  void on_reply(const TableCommand& command, const Answered& answered);
  // Returns whether stored values have changed.
  bool on_hands(const std::vector<RoundHands>& rounds);
  // The hands that count, in the order in which they were shown.
  [[nodiscard]] std::vector<ShownHand> hands() const;
  [[nodiscard]] const Correction* correction_of(Seat seat) const;
  // Whether the seat's show has no answer yet.
  [[nodiscard]] bool is_waiting(Seat seat) const;
  // The seat's hand, as it counts; null: not shown yet, or taken back.
  [[nodiscard]] const ShownHand* hand_of(Seat seat) const;
  [[nodiscard]] bool has_wager(Seat seat) const;
  [[nodiscard]] std::vector<Card> dealer() const { return cards_of(&ShowHands::dealer); }
  [[nodiscard]] std::vector<Card> board() const { return cards_of(&ShowHands::board); }
  [[nodiscard]] std::optional<Draw> draw() const;
  [[nodiscard]] bool is_void(Seat seat) const;
  // The seat's hand was corrected, and the controller has not reported yet which awards stay
  // unchanged: it is of an older release, or a show waits for its answer.
  [[nodiscard]] bool is_correction_unreported(Seat seat) const;
  // The award was won before the last reported change, and that change left it as it was: the
  // dealer was told to pay it then.
  [[nodiscard]] bool was_paid_before(const AwardNotice& award) const;
  // An answer has raised the claim, and the controller has not reported claims and hands since
  // then.
  [[nodiscard]] bool has_just_raised(ClaimNumber claim) const;

  // The state of the lights of its wagers: "waiting", "accepted", "refused", "returned", "blocked";
  // "off".
  [[nodiscard]] std::string_view light_state() const;
  // What the device shows of the round, one output line for each light.
  [[nodiscard]] std::multiset<std::string> lights() const;

  // "v1f00ba5e-000012".
  [[nodiscard]] RoundId id() const { return named.empty() ? id_of(number) : named; }
  [[nodiscard]] RoundId next_id() const { return id_of(number + 1); }
  [[nodiscard]] bool was_submitted(std::string_view event) const;
  void note_submitted(std::string_view event, MessageNumber number);

  [[nodiscard]] std::string place() const;
  // Returns nullopt for a text that place() does not write.
  static std::optional<RoundRecord> read(std::string_view place);
  friend bool operator==(const RoundRecord&, const RoundRecord&) = default;

 private:
  // The next round, of which nothing but its lock is known to be in the outbox.
  [[nodiscard]] RoundRecord begun() const;
  [[nodiscard]] const ShownHand* submitted_hand(Seat seat) const;
  // The facts that make up the dealer's side: the last change, and the shows after it.
  [[nodiscard]] std::vector<const ShowHands*> dealer_side_facts() const;
  [[nodiscard]] std::vector<Card> cards_of(std::vector<Card> ShowHands::*side) const;
  // Replaces the awards for the seat's own hand. Returns whether they changed.
  bool replace_wins(Seat seat, const std::vector<AwardNotice>& awards);
  bool on_hand(const HandNotice& hand);
  // `before`: the awards of the round before any part of `hands` was applied.
  bool on_change(const RoundHands& hands, const std::vector<AwardNotice>& before);
  // `before`: the awards of the round before that change.
  bool on_wins(const RoundHands& hands, const std::vector<AwardNotice>& before);
  bool on_dealer_side(const RoundHands& hands);
  void on_void(const VoidRound& voided, const Answered& answered);
  // The seat's hand was taken back by a person and is shown again; the new show was accepted.
  void forget(Seat seat);
  void on_shown(Seat seat, const Answered& answered);
  // The seat's hand was shown but no longer counts.
  bool take_back(Seat seat);
  void on_lock(const Answered& answered);
  void on_refusal(const TableCommand& command, const Answered& answered);
  [[nodiscard]] RoundId id_of(std::uint64_t number) const;
};

// "light 2 crazy-4/five-card 500 own accepted".
std::string light_text(const AskedWager& wager, std::string_view state);

// RoundCommands: the commands that the table's driver submitted for its round and that have no
// answer yet. They are decoded from the outbox, so that an answer can be understood.

class RoundCommands {
 public:
  // Takes the commands of this round from the outbox's messages.
  RoundCommands(const std::vector<StoredMessage>& unacknowledged, const RoundId& round);

  void add(MessageNumber number, TableCommand command);
  // Removes and returns the command of this message, which now has its answer; nullopt: not one of
  // these.
  std::optional<TableCommand> take(MessageNumber number);
  template <class Command>
  [[nodiscard]] bool has() const {
    return std::any_of(commands_.begin(), commands_.end(), [](const auto& submitted) {
      return std::holds_alternative<Command>(submitted.second);
    });
  }
  // A close or a void.
  [[nodiscard]] bool has_end() const;

 private:
  std::map<MessageNumber, TableCommand> commands_;
};

}  // namespace linkmeter
