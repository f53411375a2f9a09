// LmdbStore: reads and writes the tables of a journal's store directly with LMDB, to check and to
// damage what LmdbJournal wrote. REQUIRES: no other object in this process has the store open.
#pragma once

#include <lmdb.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "meters/values/invariant.h"

namespace linkmeter {

class LmdbStore {
 public:
  using Records = std::vector<std::pair<std::string, std::string>>;

  explicit LmdbStore(const std::filesystem::path& path) {
    INVARIANT(mdb_env_create(&environment_) == 0);
    INVARIANT(mdb_env_set_maxdbs(environment_, 3) == 0);
    // Damage need not be durable.
    INVARIANT(mdb_env_open(environment_, path.c_str(), MDB_NOSYNC, 0600) == 0);
  }
  LmdbStore(const LmdbStore&) = delete;
  LmdbStore& operator=(const LmdbStore&) = delete;
  ~LmdbStore() { mdb_env_close(environment_); }

  Records records(const char* table) {
    Records all;
    in_transaction(table, [&](MDB_txn* transaction, MDB_dbi handle) {
      MDB_cursor* cursor = nullptr;
      INVARIANT(mdb_cursor_open(transaction, handle, &cursor) == 0);
      MDB_val key{}, value{};
      while (mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0) {
        all.emplace_back(text_of(key), text_of(value));
      }
      mdb_cursor_close(cursor);
    });
    return all;
  }

  // Replaces everything in the table with these records.
  void replace(const char* table, const Records& records) {
    in_transaction(table, [&](MDB_txn* transaction, MDB_dbi handle) {
      INVARIANT(mdb_drop(transaction, handle, 0) == 0);
      for (const auto& [key, value] : records) {
        MDB_val key_value{key.size(), const_cast<char*>(key.data())};
        MDB_val data{value.size(), const_cast<char*>(value.data())};
        INVARIANT(mdb_put(transaction, handle, &key_value, &data, 0) == 0);
      }
    });
  }

 private:
  static std::string text_of(const MDB_val& value) {
    return {static_cast<const char*>(value.mv_data), value.mv_size};
  }

  template <class Work>
  void in_transaction(const char* table, Work work) {
    MDB_txn* transaction = nullptr;
    MDB_dbi handle = 0;
    INVARIANT(mdb_txn_begin(environment_, nullptr, 0, &transaction) == 0);
    INVARIANT(mdb_dbi_open(transaction, table, 0, &handle) == 0);
    work(transaction, handle);
    INVARIANT(mdb_txn_commit(transaction) == 0);
  }

  MDB_env* environment_ = nullptr;
};

}  // namespace linkmeter
