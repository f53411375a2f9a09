// LMDB outbox: an Outbox in a folder of its own. With this file's source, the only user of LMDB in
// this room.
//
// Laws: every change is one LMDB transaction, synced by LMDB's defaults (none of NOSYNC,
// NOMETASYNC, WRITEMAP, MAPASYNC). One agent at a time: the folder's lock file is held with flock,
// and a second agent gets a Fault. What is read back is checked: the table, the numbers, the bytes.
//
// Table of keys:
//   "table"              -> the table's id
//   "last"               -> last number given out, 8 bytes big-endian
//   "message/" + number  -> fingerprint of the frame, 8 bytes big-endian, then the frame
//                           (the number is 8 bytes big-endian)
//   "witness"            -> entry, 8 bytes big-endian, then 32 bytes of hash
//   "place/" + play      -> the place's text
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "table-agent/outbox.h"

namespace linkmeter {

class LmdbOutbox final : public Outbox {
 public:
  // Opens the folder, made if missing (0700). Throws Fault.
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
  void acknowledge(MessageNumber up_to, const Head& head,
                   const std::optional<Position>& position) override;

  // The latest head of an outbox that is there, without opening it: also beside the agent that
  // works in it. Throws Fault.
  static Head witness_in(const std::filesystem::path& folder, const TableId& table);

  // As LMDB tells them: for the test that no flag weakens the sync.
  [[nodiscard]] unsigned int environment_flags() const;

 private:
  struct Store;
  class Transaction;

  void open_contents(const TableId& table);
  static Head witness_of(const Transaction& transaction);

  std::unique_ptr<Store> store_;
  MessageNumber last_number_;
};

}  // namespace linkmeter
