// LMDB handles: transactions and cursors of the journal's store. They close at the end of their
// scope, and turn LMDB errors into Faults that name the journal.
#pragma once

#include <lmdb.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "meters/values/identity.h"
#include "proto/host/fault.h"

namespace linkmeter {

// An entry's value is its hash, then its bytes.
inline constexpr std::size_t hash_bytes = std::tuple_size_v<Digest>;

// LMDB takes pointers to non-const for keys and values that it only reads.
inline MDB_val mdb_value(std::string_view bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}

inline std::string_view mdb_view(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

[[noreturn]] inline void mdb_fail(const std::filesystem::path& path, const char* doing, int code) {
  if (code == MDB_MAP_FULL) {
    throw Fault("journal " + path.string() + ": the map is full; this commit was not " +
                "written. Give the journal a larger map and start again");
  }
  // LMDB reports a write that a full disk cut short as an input/output error.
  const bool may_be_full = code == ENOSPC || code == EIO;
  throw Fault("journal " + path.string() + ": cannot " + doing + ": " + mdb_strerror(code) +
              (may_be_full ? "; is its disk full?" : ""));
}

// Aborts unless committed.
class LmdbTransaction {
 public:
  LmdbTransaction(MDB_env* environment, const std::filesystem::path& path, unsigned int flags)
      : path_(path) {
    const int code = mdb_txn_begin(environment, nullptr, flags, &transaction_);
    if (code != MDB_SUCCESS) mdb_fail(path_, "begin a transaction", code);
  }
  LmdbTransaction(const LmdbTransaction&) = delete;
  LmdbTransaction& operator=(const LmdbTransaction&) = delete;
  ~LmdbTransaction() {
    if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  }

  [[nodiscard]] MDB_txn* get() const { return transaction_; }
  [[nodiscard]] MDB_txn* release() { return std::exchange(transaction_, nullptr); }
  void commit() {
    const int code = mdb_txn_commit(release());
    if (code != MDB_SUCCESS) mdb_fail(path_, "commit", code);
  }

 private:
  const std::filesystem::path& path_;
  MDB_txn* transaction_ = nullptr;
};

class LmdbCursor {
 public:
  LmdbCursor(MDB_txn* transaction, MDB_dbi table, const std::filesystem::path& path) : path_(path) {
    const int code = mdb_cursor_open(transaction, table, &cursor_);
    if (code != MDB_SUCCESS) mdb_fail(path_, "open a cursor", code);
  }
  LmdbCursor(const LmdbCursor&) = delete;
  LmdbCursor& operator=(const LmdbCursor&) = delete;
  ~LmdbCursor() { mdb_cursor_close(cursor_); }

  // Appends an entry: its hash and its bytes.
  void append(const std::string& number, const Digest& hash, const std::string& bytes) {
    MDB_val key = mdb_value(number), value{hash_bytes + bytes.size(), nullptr};
    const int code = mdb_cursor_put(cursor_, &key, &value, MDB_APPEND | MDB_RESERVE);
    if (code != MDB_SUCCESS) mdb_fail(path_, "append an entry", code);
    std::memcpy(value.mv_data, hash.data(), hash_bytes);
    std::memcpy(static_cast<char*>(value.mv_data) + hash_bytes, bytes.data(), bytes.size());
  }
  // Moves the cursor. False at the end. `key` is both input, if the operation takes one, and
  // output.
  bool move(MDB_cursor_op operation, MDB_val& key, MDB_val& value) {
    const int code = mdb_cursor_get(cursor_, &key, &value, operation);
    if (code != MDB_SUCCESS && code != MDB_NOTFOUND) mdb_fail(path_, "read", code);
    return code == MDB_SUCCESS;
  }

 private:
  const std::filesystem::path& path_;
  MDB_cursor* cursor_ = nullptr;
};

}  // namespace linkmeter
