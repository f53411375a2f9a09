// MemoryOutbox: an Outbox in memory, for tests and simulation. The object is the disk: when an
// agent crashes, the agent is destroyed, and the next one gets its outbox.
//
// It can fail like a disk: it can throw before or after a change was stored, or omit a sync, so
// that a power cut loses changes (a planted mistake that a simulation must detect).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/link/outbox.h"

namespace linkmeter {

class MemoryOutbox final : public Outbox {
 public:
  enum class Trouble : std::uint8_t {
    none,
    throws_before_storing,  // the change is lost after the restart
    throws_after_storing,   // the change is stored, but the caller does not know it
  };

  [[nodiscard]] MessageNumber last_number() const override { return written_.last_number; }
  [[nodiscard]] std::vector<StoredMessage> unacknowledged() const override;
  [[nodiscard]] Head witness() const override { return written_.witness; }
  [[nodiscard]] std::string place(std::string_view play) const override;
  [[nodiscard]] std::vector<Position> places(std::string_view play_prefix) const override;
  void append(const std::vector<StoredMessage>& messages, const Position& position) override;
  void go_on_after(MessageNumber number) override;
  void acknowledge(MessageNumber up_to, const Head& head, const std::vector<Position>& positions,
                   const std::vector<EntryNumber>& entries) override;
  std::uint64_t resend_after(const Head& head) override;
  std::uint64_t requeue_behind(MessageNumber last, const Head& head,
                               const std::vector<Head>& history) override;
  [[nodiscard]] std::vector<Head> history() const override { return written_.history; }
  void note_history(const std::vector<Head>& history) override;

  // The next change throws Fault; later changes succeed.
  void fail_next(Trouble trouble) { error_ = trouble; }
  // False: changes are written but not synced, against the law of append().
  void set_syncing(bool syncing) { syncing_ = syncing; }
  // A power cut: changes without sync are lost.
  void lose_unsynced() { written_ = synced_; }

 private:
  struct KeptMessage {
    StoredMessage message;
    EntryNumber entry;
  };
  struct Contents {
    MessageNumber last_number;
    MessageNumber before;  // the last one of another outbox
    std::deque<KeptMessage> kept;
    std::size_t kept_bytes = 0;
    std::deque<StoredMessage> messages;
    Head witness;
    std::vector<Head> history;
    std::map<std::string, std::string, std::less<>> places;
  };

  template <class Change>
  void store(const Change& change);

  Contents written_;
  Contents synced_;
  bool all_synced_ = true;
  bool syncing_ = true;
  Trouble error_ = Trouble::none;
};

}  // namespace linkmeter
