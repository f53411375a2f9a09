// Outbox: what one table has said and not yet heard an answer to, kept so that a crash, a power cut
// or a lost connection neither loses a message nor says it twice in other words.
//
// Laws:
// 1. append() comes before the first send, and is durable when it returns. What was never appended
//    was never said.
// 2. Numbers are 1, 2, 3, ... without a gap and are never given out again, however often the agent
//    starts.
// 3. A resend is the stored bytes, to the last bit.
// 4. Messages and the place of the play that said them are one commit: after a restart the play
//    goes on exactly behind the last message that is stored.
// 5. acknowledge() puts answered messages away, and keeps the journal's head that came with the
//    answer (the table is a witness of the journal) and the place to which the answers moved the
//    play, in one commit: an answer that is gone from here has done all that it does. It is durable
//    too.
// 6. Answered messages are kept for a while, each with the entry that it became: a controller that
//    was restored from a backup has lost what it entered after that, and gets it again from here
//    (resend_after). The oldest are forgotten once they come to more than kept_bytes_max.
// Every change throws Fault if the world fails; the agent must then end, and the restart goes on
// from what is stored.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

struct StoredMessage {
  MessageNumber number;
  std::string bytes;  // the frame as sent
  friend bool operator==(const StoredMessage&, const StoredMessage&) = default;
};

// Where a play stands. A table may have several plays in its life (scripts, deals from two seeds);
// each has its own place, so that going back to one does not say its rounds a second time.
struct Position {
  std::string play;   // "script/0123456789abcdef", "deal/7"
  std::string place;  // the play's own words
  friend bool operator==(const Position&, const Position&) = default;
};

class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  virtual ~Outbox() = default;

  // The last number given out; 0: none yet.
  [[nodiscard]] virtual MessageNumber last_number() const = 0;
  // In order of their numbers; the last of them is last_number().
  [[nodiscard]] virtual std::vector<StoredMessage> unacknowledged() const = 0;
  // The latest head that was stored; entry 0: none yet.
  [[nodiscard]] virtual Head witness() const = 0;
  // Where the play stands; "" if it never said anything.
  [[nodiscard]] virtual std::string place(std::string_view play) const = 0;
  // Where all plays stand whose name starts like this, in the order of their names.
  [[nodiscard]] virtual std::vector<Position> places(std::string_view play_prefix) const = 0;

  // Stores messages and position as one durable commit. No messages: only the position moves.
  // REQUIRES: consecutive numbers from last_number() + 1 on.
  virtual void append(const std::vector<StoredMessage>& messages, const Position& position) = 0;
  // A new outbox takes over a table that was run with another one: the next number is after
  // `number`. Durable. REQUIRES: nothing was ever said from here.
  virtual void go_on_after(MessageNumber number) = 0;
  // Puts the messages up to and with `up_to` away, the first of them with the first of `entries`
  // and so on (one without: with the head's), and keeps the head and the positions to which the
  // answers moved plays; one durable commit. REQUIRES: up_to <= last_number().
  virtual void acknowledge(MessageNumber up_to, const Head& head,
                           const std::vector<Position>& positions,
                           const std::vector<EntryNumber>& entries) = 0;
  // The journal was restored and ends with this head: what became a later entry is unacknowledged
  // again, in order and to the last bit, and the head is what the table has seen. Durable; how many
  // they are. Throws Fault, and changes nothing, if the table has not seen so far, or does not keep
  // all of them any more.
  virtual std::uint64_t resend_after(const Head& head) = 0;
  // The same, as the restored controller tells it itself: it has the table's messages up to `last`,
  // and what came after them is unacknowledged again; `head` is what the table has seen, `history`
  // as note_history(). By the table's own numbers: they are right also where several backups were
  // restored since it was last there.
  virtual std::uint64_t resend_behind(MessageNumber last, const Head& head,
                                      const std::vector<Head>& history) = 0;
  // The restorations that the table was told: their entries, in the order in which it was. Durable.
  [[nodiscard]] virtual std::vector<Head> history() const = 0;
  virtual void note_history(const std::vector<Head>& history) = 0;

  // Days of a busy table's messages.
  static constexpr std::size_t kept_bytes_max = std::size_t{64} << 20U;
};

}  // namespace linkmeter
