// LMDB outbox: an Outbox in its own folder. lmdb_outbox.cc is the only user of LMDB in
// table-agent/.
//
// Laws: every change is one LMDB transaction, synced by LMDB's defaults (none of NOSYNC,
// NOMETASYNC, WRITEMAP, MAPASYNC). One agent at a time: it holds the folder's lock file with flock,
// and a second agent gets a Fault. Everything that is read back is checked: table, numbers, bytes.
//
// Table of keys:
//   "table"              -> the table's id
//   "last"               -> last number used, 8 bytes big-endian
//   "message/" + number  -> fingerprint of the frame, 8 bytes big-endian, then the frame
//                           (the number is 8 bytes big-endian)
//   "kept/" + number     -> its entry, 8 bytes big-endian, then as "message/"
//   "before"             -> the last number that another outbox used; none: 0
//   "witness"            -> entry, 8 bytes big-endian, then 32 bytes of hash
//   "history"            -> the restorations reported to the table, each as "witness"
//   "place/" + name      -> the position of this driver, or a text of the agent itself: "agent"
//                           (table_agent.h), "refused", "left open" (send_window.h), "own-counts"
//                           (local_counters.h), "nodes" (known_nodes.h)
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "table-agent/link/outbox.h"

namespace linkmeter {

class LmdbOutbox final : public Outbox {
 public:
  // Opens the folder; makes it if it is missing (0700). Throws Fault.
  LmdbOutbox(const std::filesystem::path& folder, const TableId& table);
  LmdbOutbox(const LmdbOutbox&) = delete;
  LmdbOutbox& operator=(const LmdbOutbox&) = delete;
  ~LmdbOutbox() override;

  [[nodiscard]] MessageNumber last_number() const override { return last_number_; }
  [[nodiscard]] std::vector<StoredMessage> unacknowledged() const override;
  [[nodiscard]] Head witness() const override;
  [[nodiscard]] std::string place(std::string_view play) const override;
  [[nodiscard]] std::vector<Position> places(std::string_view play_prefix) const override;
  void append(const std::vector<StoredMessage>& messages, const Position& position) override;
  void go_on_after(MessageNumber number) override;
  void acknowledge(MessageNumber up_to, const Head& head, const std::vector<Position>& positions,
                   const std::vector<EntryNumber>& entries) override;
  std::uint64_t resend_after(const Head& head) override;
  std::uint64_t requeue_behind(MessageNumber last, const Head& head,
                               const std::vector<Head>& history) override;
  [[nodiscard]] std::vector<Head> history() const override;
  void note_history(const std::vector<Head>& history) override;

  // The witness head of an existing outbox, read without its lock: an agent may be running on it.
  // Throws Fault.
  static Head witness_in(const std::filesystem::path& folder, const TableId& table);

  // As LMDB reports them, for the test that no flag weakens the sync.
  [[nodiscard]] unsigned int environment_flags() const;

 private:
  struct Store;
  class Transaction;

  void open_contents(const TableId& table);
  [[nodiscard]] std::vector<StoredMessage> unacknowledged_in(const Transaction& transaction) const;
  static void put_history(Transaction& transaction, const std::vector<Head>& history);
  using Lost = std::vector<std::pair<MessageNumber, std::string>>;  // as under "message/"
  // Makes these messages unacknowledged again and the head the witness, and commits.
  // Throws Fault if a message is missing between these and the unacknowledged ones.
  void check_runs_on(const Lost& lost, std::uint64_t first_open) const;
  void resend(Transaction& transaction, const Lost& lost, const Head& head);
  // Deletes the oldest kept messages; returns the bytes that remain.
  std::size_t forget_oldest(Transaction& transaction, std::size_t kept_bytes) const;

  std::unique_ptr<Store> store_;
  MessageNumber last_number_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace linkmeter
