// LmdbJournal: the journal on disk. Its .cc is the only user of LMDB in the controller.
//
// Tables of the store (a directory with LMDB's data.mdb and lock.mdb):
//   journal  entry number, 8 bytes big-endian -> 32 bytes hash, then the entry's bytes as encoded
//   state    key of a row -> value of the row (proto/codec/state_codec.h)
//   meta     "format" -> 8 bytes big-endian: 1
//            "head" -> 8 bytes number of the last entry, 32 bytes its hash
//
// Laws: one commit is one LMDB transaction with LMDB's full sync; the flags that trade durability
// for speed (NOSYNC, NOMETASYNC, WRITEMAP, MAPASYNC) are never set. One writer per store, held by a
// lock on the file controller.lock. Reads return copies: no pointer into the map escapes. An open
// read transaction keeps the writer from reusing pages, so that the map grows; therefore none is
// open while a visitor runs, and a paused visitor costs the writer nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "controller/store/writer_lock.h"

struct MDB_env;
struct MDB_txn;

namespace linkmeter {

class LmdbJournal final : public Journal {
 public:
  // Address space, not disk space: the file grows as it fills.
  static constexpr std::size_t map_bytes_default = std::size_t{64} << 30U;

  // Makes the directory and an empty journal in it. Throws Fault if anything exists at `path`.
  static void create(const std::filesystem::path& path, std::size_t map_bytes = map_bytes_default);
  // The writer. Throws Fault if another process writes here, or if the head is not the last entry.
  // A writer that was killed during a commit may have left the commit in the store, and the number
  // of the transaction before it in the lock file, which persists while any reader is open. open()
  // repairs this before it reads anything.
  static std::unique_ptr<LmdbJournal> open(const std::filesystem::path& path,
                                           std::size_t map_bytes = map_bytes_default);
  // A reader, which may run beside a writer. It sees the store as of this call and does not check
  // it, so that a damaged store can be audited. It holds a snapshot until its first read(), for
  // rows(). Entries never change, so read() needs no snapshot; it ends with the last entry as of
  // this call. REQUIRES: the process does not have the same store open already.
  static std::unique_ptr<LmdbJournal> open_to_read(const std::filesystem::path& path);

  LmdbJournal(const LmdbJournal&) = delete;
  LmdbJournal& operator=(const LmdbJournal&) = delete;
  ~LmdbJournal() override;

  [[nodiscard]] Head head() const override { return head_; }
  // REQUIRES: opened as the writer.
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) override;
  // Reads in chunks, and copies each out before visiting it.
  void read(EntryNumber from, const std::function<bool(const StoredEntry&)>& visit) const override;
  // REQUIRES: on a reader, before its first read().
  [[nodiscard]] std::vector<Row> rows() const override;
  // The current value: on a reader it may be newer than the last entry that it reads.
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override;
  [[nodiscard]] Stored stored() const override;
  // The part of the map that no page ever used: pages that were freed count as used.
  [[nodiscard]] JournalSpace room() const override;
  // Releases the snapshots of readers that were killed.
  void maintain() override;
  // Makes one more LMDB store. The map of a writer grows during the copy.
  void snapshot_to(const std::filesystem::path& folder) const override;

  // LMDB's flags: for the test that they do not trade away durability.
  [[nodiscard]] unsigned int environment_flags() const;

 private:
  struct EnvironmentEnd {
    void operator()(MDB_env* environment) const;
  };
  struct TransactionEnd {
    void operator()(MDB_txn* transaction) const;
  };
  enum class Use { create, write, read };

  LmdbJournal(std::filesystem::path path, std::size_t map_bytes, Use use);
  void open_tables(MDB_txn* transaction, unsigned int flags);
  void read_meta(MDB_txn* transaction);
  [[nodiscard]] Head head_in(MDB_txn* transaction) const;
  [[nodiscard]] std::vector<Row> rows_in(MDB_txn* transaction) const;
  void note_last_key(MDB_txn* transaction);
  void check_head_is_last(MDB_txn* transaction) const;
  [[nodiscard]] std::vector<StoredEntry> read_chunk(std::string& key, bool key_was_visited,
                                                    std::size_t entries_max) const;
  void require_whole_file(Use use) const;
  void require(int code, const char* doing) const;

  std::filesystem::path path_;
  std::unique_ptr<WriterLock> lock_;
  std::unique_ptr<MDB_env, EnvironmentEnd> environment_;
  unsigned int journal_table_ = 0;
  unsigned int state_table_ = 0;
  unsigned int meta_table_ = 0;
  // Readers only, until the first read(). mutable: releasing it changes no result.
  mutable std::unique_ptr<MDB_txn, TransactionEnd> snapshot_;
  std::optional<std::string> last_key_;  // where read() ends; "": no entries
  Head head_;
};

}  // namespace linkmeter
