// Send window: the messages of one table, from their numbering to their acknowledgement, over its
// outbox; and what the table has seen of the controller's journal.
//
// Laws:
// 1. A message is stored in the outbox before frame() gives it out.
// 2. At most limits::messages_open_max messages are unacknowledged, so the controller still
//    remembers the answer to every message that may be sent again.
// 3. A journaled refusal is an answer: the number is used up, and the table goes on.
// 4. An acknowledgement names the checksum of the frame that it acknowledges. If that is not the
//    stored frame, another agent speaks for this table: NodeFault, and no message is removed.
// 5. What an answer means for the driver is stored in the commit that removes the message.
// 6. The journal must continue the one that the table has seen (the witness head). If the
//    controller has lost anything that it acknowledged, NodeFault (node_fault.h).
// 7. An outbox that never numbered a message takes over the table's numbering from the Welcome (a
//    replaced table computer). Any other outbox that is behind the controller is a NodeFault.
// 8. The rounds that were open at a takeover came from another outbox, which is lost. Their names
//    are kept, and every Welcome tells which of them are still open.
// 9. Law 6 has one exception: a Welcome may name a restoration of the journal that this table has
//    not followed yet, and the entry at which it continues. Then every message that the controller
//    does not have is sent again, bit for bit; each restoration is followed once. A message that
//    was refused had no effect and must not get one now: a message that is always refused takes
//    its place, under its number.
//
// Acknowledgements must come in the order in which the controller sent them, as on one connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meters/facts/table_command.h"
#include "meters/values/timestamp.h"
#include "proto/codec/wire_codec.h"
#include "table-agent/link/local_counters.h"
#include "table-agent/link/outbox.h"

namespace linkmeter {

// The controller's answer to one message.
struct Answered {
  MessageNumber number;
  EntryNumber entry;
  Refusal refusal = Refusal::none;
  std::string submitted;  // "lock r3"; only if the message was refused or blocked its round
  // Set: the round is blocked, because the lock counted `chips` of them.
  std::optional<std::uint32_t> chips_expected = {};
  std::uint32_t chips = 0;
  std::vector<AwardNotice> awards = {};     // of a show or a pot
  bool no_contribution = false;             // of a pot whose fund collects no more
  std::vector<AwardNotice> take_back = {};  // of a void: what was paid and must be taken back
  friend bool operator==(const Answered&, const Answered&) = default;
};

// Messages that are sent again because the journal was restored up to the entry `after`.
struct Resent {
  EntryNumber after;
  std::uint64_t count = 0;
};

// Whether the command fits into one message, whatever the table's name, the number and the time.
bool fits_message(const TableCommand& command);

class SendWindow {
 public:
  // Called with new answers before they are stored. Returns the driver's position after them, to be
  // stored with them; nullopt: it does not change.
  using OnReply = std::function<std::optional<Position>(const std::vector<Answered>&)>;

  // Continues from what the outbox holds. The outbox must outlive the window.
  SendWindow(TableId table, Outbox& outbox);

  // How many more messages may be submitted now.
  [[nodiscard]] std::size_t room() const;
  // 0: no number was given out yet.
  [[nodiscard]] MessageNumber last_number() const { return last_number_; }
  [[nodiscard]] MessageNumber last_acknowledged() const {
    return MessageNumber(last_number_.value() - unacknowledged_.size());
  }
  [[nodiscard]] std::size_t unacknowledged_count() const { return unacknowledged_.size(); }
  // The frame of an unacknowledged message. REQUIRES: place < unacknowledged_count().
  [[nodiscard]] const std::string& frame(std::size_t place) const { return unacknowledged_[place]; }
  [[nodiscard]] const Head& witness() const { return witness_; }
  // The restorations that the table has followed or was told, in order.
  [[nodiscard]] const std::vector<Head>& restorations() const { return restorations_; }
  // Law 7 in this run: the last number that another outbox had used for this table.
  [[nodiscard]] std::optional<MessageNumber> took_over_after() const { return took_over_after_; }

  // The table counts for itself from here on, continuing from what the outbox holds.
  void count_by(LocalCounters counters);
  [[nodiscard]] std::optional<ReportedCounts> counts() const;

  // Numbers and stores the commands in one commit, together with the position after them. With no
  // commands, only the position is stored. `sent_at` is the wall clock. REQUIRES: room for all.
  void submit(const std::vector<TableCommand>& commands, const Position& position,
              Timestamp sent_at);

  struct Replies {
    std::vector<Answered> answered;            // for the first time, in order
    std::optional<Acknowledgement> not_taken;  // the first one; its number is not used up
    std::size_t ignored_count = 0;             // of acknowledgements that cannot be meant
  };
  // What these acknowledgements answer. Changes nothing. Throws NodeFault by laws 4 and 6.
  [[nodiscard]] Replies match(const Acknowledgements& acknowledgements) const;
  // Stores the answers of match() and removes their messages. Throws NodeFault by law 6, and Fault
  // if the outbox fails. REQUIRES: at least one.
  void acknowledge(const std::vector<Answered>& answered, const Head& head,
                   const OnReply& on_reply);

  // Compares the outbox with the Welcome by laws 6, 7 and 9, and stores what the table has seen.
  // Returns what is sent again (law 9). Throws NodeFault by these laws, before it stores anything,
  // and Fault if the outbox fails.
  std::optional<Resent> on_welcome(const Welcome& welcome);
  // Law 8; nullopt: there was no open round at a takeover, or no takeover.
  [[nodiscard]] std::optional<std::vector<OpenRound>> left_open(const Welcome& welcome) const;
  // Law 6 is broken.
  [[noreturn]] void fail_lost(const std::string& how) const;

 private:
  void read_unacknowledged();
  void check_frames(const Acknowledgements& acknowledgements) const;
  void check_same_journal(const Head& head) const;
  void check_not_shorter(const Head& head) const;
  [[nodiscard]] std::string refused_again(const StoredMessage& message) const;
  // What the outbox keeps beside the messages.
  [[nodiscard]] std::vector<Position> count(const std::vector<Answered>& answered);
  void note_refused(const std::vector<Answered>& answered, std::vector<Position>& positions);
  std::optional<Resent> resend(const Welcome& welcome);
  void take_over(const Welcome& welcome);

  TableId table_;
  Outbox& outbox_;
  // As in the outbox.
  MessageNumber last_number_;
  std::deque<std::string> unacknowledged_;  // frames
  Head witness_;
  std::vector<Head> restorations_;
  std::set<MessageNumber> refused_;  // the latest that an entry refused
  std::set<RoundId> left_open_;      // law 8
  std::optional<LocalCounters> counters_;
  std::optional<MessageNumber> took_over_after_;
};

}  // namespace linkmeter
