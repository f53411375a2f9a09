// Outbox: the messages of one table that are not acknowledged, on disk. A crash, a power cut or a
// lost connection neither loses a message nor changes its bytes.
//
// Laws:
// 1. append() comes before the first send, and is durable when it returns.
// 2. Numbers are 1, 2, 3, ... without a gap. No number is used twice, however often the agent
//    starts.
// 3. A resend is the stored bytes, bit for bit.
// 4. Messages and the position of the driver that submitted them are one commit. After a restart
//    the driver continues exactly behind the last stored message.
// 5. acknowledge() is one durable commit too: it removes the acknowledged messages, stores the
//    journal's head that came with the acknowledgement (the table is a witness of the journal), and
//    stores the positions that the answers have changed.
// 6. Acknowledged messages are kept for some time, each with the number of its entry. A controller
//    that was restored from a backup has lost its later entries; resend_after() and
//    requeue_behind() make those messages unacknowledged again. The oldest are deleted when all
//    together are larger than kept_bytes_max.
// Every change throws Fault if it cannot be stored. The agent must then end; a restart continues
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

// How far a driver has come (RoundDriver). A table may have several drivers in its life (scripts,
// deals from two seeds). Each has its own position, so a driver that runs again submits no
// round twice.
struct Position {
  std::string play;   // the driver's name: "script/0123456789abcdef", "deal/7"
  std::string place;  // in the driver's own format
  friend bool operator==(const Position&, const Position&) = default;
};

class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  virtual ~Outbox() = default;

  // The last number used; 0: none yet.
  [[nodiscard]] virtual MessageNumber last_number() const = 0;
  // In order of their numbers; the last of them is last_number().
  [[nodiscard]] virtual std::vector<StoredMessage> unacknowledged() const = 0;
  // The latest head that was stored; entry 0: none yet.
  [[nodiscard]] virtual Head witness() const = 0;
  // The position of this driver, in its own format; "": it has none.
  [[nodiscard]] virtual std::string place(std::string_view play) const = 0;
  // The positions of all drivers whose names have this prefix, in the order of their names.
  [[nodiscard]] virtual std::vector<Position> places(std::string_view play_prefix) const = 0;

  // Stores messages and position as one durable commit. With no messages, only the position.
  // REQUIRES: consecutive numbers from last_number() + 1 on.
  virtual void append(const std::vector<StoredMessage>& messages, const Position& position) = 0;
  // A new outbox takes over a table that was run with another one: the next number follows
  // `number`. Durable. REQUIRES: no number was used from here.
  virtual void go_on_after(MessageNumber number) = 0;
  // Removes the messages up to and including `up_to`, and stores the head and the positions; one
  // durable commit. `entries` are the entries of the removed messages, in order; a message without
  // one gets the head's. REQUIRES: up_to <= last_number().
  virtual void acknowledge(MessageNumber up_to, const Head& head,
                           const std::vector<Position>& positions,
                           const std::vector<EntryNumber>& entries) = 0;
  // The journal was restored and ends with this head. Every message with a later entry becomes
  // unacknowledged again, in order and bit for bit, and the head becomes the witness. Durable.
  // Returns the number of these messages. Throws Fault, and changes nothing, if the witness is
  // before the head, or if some of the messages are deleted already.
  virtual std::uint64_t resend_after(const Head& head) = 0;
  // The same, from the Welcome of the restored controller: it has the table's messages up to
  // `last`, and the later ones become unacknowledged again. `head` becomes the witness; `history`
  // as in note_history(). It compares message numbers, not entries, so it is right even if several
  // backups were restored since the table was last connected. Throws NodeFault (node_fault.h), and
  // changes nothing, if some of the messages are deleted already.
  virtual std::uint64_t requeue_behind(MessageNumber last, const Head& head,
                                       const std::vector<Head>& history) = 0;
  // The entries of the restorations that were reported to the table, in that order. Durable.
  [[nodiscard]] virtual std::vector<Head> history() const = 0;
  virtual void note_history(const std::vector<Head>& history) = 0;

  // Several days of a busy table's messages.
  static constexpr std::size_t kept_bytes_max = std::size_t{64} << 20U;
};

}  // namespace linkmeter
