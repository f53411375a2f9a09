// LMDB outbox: an Outbox in a folder of its own. With its sources, the only user of LMDB in this
// room.
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
//   "kept/" + number     -> the entry that it became, 8 bytes big-endian, then as "message/"
//   "before"             -> the last number that another outbox gave out; none: 0
//   "witness"            -> entry, 8 bytes big-endian, then 32 bytes of hash
//   "history"            -> likewise, one behind another: the restorations that it was told
//   "place/" + play      -> the place's text; also what the agent keeps for itself (table_agent.h):
//                           "agent" (which agent it is), "refused", "left open"
#pragma once

#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proto/codec/big_endian.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "table-agent/link/outbox.h"

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
  void acknowledge(MessageNumber up_to, const Head& head, const std::vector<Position>& positions,
                   const std::vector<EntryNumber>& entries) override;
  std::uint64_t say_again_after(const Head& head) override;
  std::uint64_t say_again_behind(MessageNumber last, const Head& head,
                                 const std::vector<Head>& history) override;
  [[nodiscard]] std::vector<Head> history() const override;
  void note_history(const std::vector<Head>& history) override;

  // The latest head of an outbox that is there, without opening it: also beside the agent that
  // works in it. Throws Fault.
  static Head witness_in(const std::filesystem::path& folder, const TableId& table);

  // As LMDB tells them: for the test that no flag weakens the sync.
  [[nodiscard]] unsigned int environment_flags() const;

 private:
  struct Store;
  class Transaction;

  void open_contents(const TableId& table);
  [[nodiscard]] std::vector<StoredMessage> unacknowledged_in(const Transaction& transaction) const;
  static Head head_in(const Transaction& transaction, const char* key);
  static void put_head(Transaction& transaction, const char* key, const Head& head);
  static void put_history(Transaction& transaction, const std::vector<Head>& history);
  using Lost = std::vector<std::pair<MessageNumber, std::string>>;  // as under "message/"
  void say_again(Transaction& transaction, const Lost& lost, std::uint64_t first_open) const;
  [[nodiscard]] std::size_t kept_bytes_after(const Lost& lost) const;
  // Of what is kept, the oldest; the sum of what stays.
  std::size_t forget_oldest(Transaction& transaction, std::size_t kept_bytes) const;

  std::unique_ptr<Store> store_;
  MessageNumber last_number_;
  std::size_t kept_bytes_ = 0;
};

// What LmdbOutbox does with LMDB: its store, its transactions and the names of its keys. For its
// own sources alone.

namespace outbox_keys {

inline constexpr std::string_view message_prefix = "message/";
inline constexpr std::string_view kept_prefix = "kept/";
inline constexpr std::string_view place_prefix = "place/";

inline std::string message_key(MessageNumber number) {
  return std::string(message_prefix) + big_endian(number.value());
}

inline std::string kept_key(MessageNumber number) {
  return std::string(kept_prefix) + big_endian(number.value());
}

inline std::string place_key(std::string_view play) {
  return std::string(place_prefix) + std::string(play);
}

}  // namespace outbox_keys

struct LmdbOutbox::Store {
  explicit Store(std::filesystem::path folder_given) : folder(std::move(folder_given)) {}
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
  ~Store() { close(); }

  void close() {
    if (environment != nullptr) mdb_env_close(std::exchange(environment, nullptr));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Fault("outbox " + folder.string() + ": " + what);
  }
  void check(int code, const char* call) const {
    if (code != MDB_SUCCESS) fail(std::string(call) + ": " + mdb_strerror(code));
  }
  // A new file is on the disk only when the folder that names it is synced too.
  void sync_folder(const std::filesystem::path& path) const {
    const Descriptor folder_open(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder_open.is_open() || ::fsync(folder_open.get()) != 0) {
      fail("cannot sync " + path.string() + ": " + std::strerror(errno));
    }
  }
  void lock(const TableId& table);
  // An outbox stands at its place only when its first commit is on the disk: one whose making was
  // cut short is made anew. REQUIRES: locked.
  void make_if_missing(const TableId& table) const;
  void open_environment();
  void open_environment_to_read();

  std::filesystem::path folder;
  Descriptor lock_file;
  MDB_env* environment = nullptr;
};

// Aborted unless committed. Views it hands out die with it.
class LmdbOutbox::Transaction {
 public:
  enum class Kind : std::uint8_t { read, write };

  Transaction(const Store& store, Kind kind) : store_(store) {
    const unsigned int flags = kind == Kind::read ? MDB_RDONLY : 0U;
    store_.check(mdb_txn_begin(store_.environment, nullptr, flags, &transaction_), "mdb_txn_begin");
    // The environment's unnamed database: it is always there.
    const int code = mdb_dbi_open(transaction_, nullptr, 0, &database_);
    if (code != MDB_SUCCESS) mdb_txn_abort(std::exchange(transaction_, nullptr));
    store_.check(code, "mdb_dbi_open");
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  }

  std::optional<std::string_view> get(std::string_view key) const {
    MDB_val key_value = value_of(key);
    MDB_val found{};
    const int code = mdb_get(transaction_, database_, &key_value, &found);
    if (code == MDB_NOTFOUND) return std::nullopt;
    store_.check(code, "mdb_get");
    return view_of(found);
  }
  void put(std::string_view key, std::string_view content) {
    MDB_val key_value = value_of(key);
    MDB_val content_value = value_of(content);
    store_.check(mdb_put(transaction_, database_, &key_value, &content_value, 0), "mdb_put");
  }
  void erase(std::string_view key) {
    MDB_val key_value = value_of(key);
    store_.check(mdb_del(transaction_, database_, &key_value, nullptr), "mdb_del");
  }
  // Visits all keys that start with the prefix, in order, or until a visitor says false.
  template <class Visit>
  void each(std::string_view prefix, const Visit& visit) const {
    MDB_cursor* cursor = nullptr;
    store_.check(mdb_cursor_open(transaction_, database_, &cursor), "mdb_cursor_open");
    const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> owner(cursor, mdb_cursor_close);
    MDB_val key = value_of(prefix);
    MDB_val content{};
    int code = mdb_cursor_get(cursor, &key, &content, MDB_SET_RANGE);
    while (code == MDB_SUCCESS && view_of(key).starts_with(prefix)) {
      if (!visit(view_of(key).substr(prefix.size()), view_of(content))) return;
      code = mdb_cursor_get(cursor, &key, &content, MDB_NEXT);
    }
    if (code != MDB_SUCCESS && code != MDB_NOTFOUND) store_.check(code, "mdb_cursor_get");
  }
  // Durable on return.
  void commit() {
    store_.check(mdb_txn_commit(std::exchange(transaction_, nullptr)), "mdb_txn_commit");
  }

 private:
  // LMDB takes pointers to non-const and does not write through them.
  static MDB_val value_of(std::string_view bytes) {
    return {bytes.size(), const_cast<char*>(bytes.data())};
  }
  static std::string_view view_of(const MDB_val& value) {
    return {static_cast<const char*>(value.mv_data), value.mv_size};
  }

  const Store& store_;
  MDB_txn* transaction_ = nullptr;
  MDB_dbi database_ = 0;
};

}  // namespace linkmeter
