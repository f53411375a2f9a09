#include "controller/store/lmdb_journal.h"

#include <lmdb.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "controller/store/hash_chain.h"
#include "meters/values/identity.h"
#include "meters/values/invariant.h"
#include "proto/codec/big_endian.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// ---- transactions and cursors: they close at the end of their scope; errors become Faults -------

// An entry's value is its hash, then its bytes.
constexpr std::size_t hash_bytes = std::tuple_size_v<Digest>;

// LMDB takes pointers to non-const for keys and values that it only reads.
MDB_val mdb_value(std::string_view bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}

std::string_view mdb_view(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

[[noreturn]] void mdb_fail(const std::filesystem::path& path, const char* doing, int code) {
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

// ---- the journal --------------------------------------------------------------------------------

constexpr std::uint64_t format_current = 1;
constexpr std::size_t number_bytes = 8;
constexpr mdb_mode_t file_mode = 0600;
// The most that read() copies out in one transaction.
constexpr std::size_t chunk_entries_max = 1'024;
constexpr std::size_t chunk_bytes_max = std::size_t{4} << 20U;

// A key or value of another length is damage: it reads as 0, which is no entry's number.
std::uint64_t number_of(std::string_view bytes) {
  return bytes.size() == number_bytes ? from_big_endian(bytes) : 0;
}

Digest hash_of(std::string_view bytes) {
  Digest hash{};
  std::memcpy(hash.data(), bytes.data(), std::min(bytes.size(), hash.size()));
  return hash;
}

StoredEntry stored_entry(const MDB_val& key, const MDB_val& value) {
  const std::string_view bytes = mdb_view(value);
  return {EntryNumber(number_of(mdb_view(key))), hash_of(bytes),
          std::string(bytes.substr(std::min(bytes.size(), hash_bytes)))};
}

[[noreturn]] void fail_with_errno(const std::filesystem::path& path, const std::string& doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

}  // namespace

void LmdbJournal::EnvironmentEnd::operator()(MDB_env* environment) const {
  mdb_env_close(environment);
}

void LmdbJournal::TransactionEnd::operator()(MDB_txn* transaction) const {
  mdb_txn_abort(transaction);
}

LmdbJournal::~LmdbJournal() = default;

void LmdbJournal::create(const std::filesystem::path& path, std::size_t map_bytes) {
  if (::mkdir(path.c_str(), 0700) != 0) fail_with_errno(path, "create a journal");
  const LmdbJournal journal(path, map_bytes, Use::create);
  sync_directory(path);
}

std::unique_ptr<LmdbJournal> LmdbJournal::open(const std::filesystem::path& path,
                                               std::size_t map_bytes) {
  return std::unique_ptr<LmdbJournal>(new LmdbJournal(path, map_bytes, Use::write));
}

std::unique_ptr<LmdbJournal> LmdbJournal::open_to_read(const std::filesystem::path& path) {
  return std::unique_ptr<LmdbJournal>(new LmdbJournal(path, 0, Use::read));
}

LmdbJournal::LmdbJournal(std::filesystem::path path, std::size_t map_bytes, Use use)
    : path_(std::move(path)) {
  std::error_code error;
  if (use != Use::create && !std::filesystem::exists(path_ / "data.mdb", error)) {
    throw Fault("journal " + path_.string() + ": no journal at this path");
  }
  // Lock before LMDB opens the store: a second controller must not even read it.
  if (use != Use::read) lock_ = std::make_unique<WriterLock>(path_);

  MDB_env* environment = nullptr;
  require(mdb_env_create(&environment), "make an environment");
  environment_.reset(environment);
  require(mdb_env_set_maxdbs(environment, 3), "set the number of tables");
  if (use != Use::read) require(mdb_env_set_mapsize(environment, map_bytes), "set the map size");
  const unsigned int flags = use == Use::read ? MDB_RDONLY | MDB_NOTLS : 0;
  require(mdb_env_open(environment, path_.c_str(), flags, file_mode), "open it");
  maintain();
  if (use != Use::create) require_whole_file(use);

  // Only a writer can repair the lock file after a writer was killed during its commit.
  LmdbTransaction transaction(environment, path_, use == Use::read ? MDB_RDONLY : 0);
  open_tables(transaction.get(), use == Use::create ? MDB_CREATE : 0);
  if (use == Use::create) {
    const std::string format = big_endian(format_current);
    const std::string head(number_bytes + hash_bytes, '\0');
    MDB_val key = mdb_value("format"), value = mdb_value(format);
    require(mdb_put(transaction.get(), meta_table_, &key, &value, 0), "write the format");
    key = mdb_value("head"), value = mdb_value(head);
    require(mdb_put(transaction.get(), meta_table_, &key, &value, 0), "write the head");
  } else {
    read_meta(transaction.get());
  }
  if (use == Use::write) check_head_is_last(transaction.get());
  if (use == Use::read) {
    note_last_key(transaction.get());
    snapshot_.reset(transaction.release());
  } else {
    transaction.commit();  // also commits the table handles
  }
}

void LmdbJournal::open_tables(MDB_txn* transaction, unsigned int flags) {
  const auto open_table = [&](const char* name, unsigned int& table) {
    const int code = mdb_dbi_open(transaction, name, flags, &table);
    if (code == MDB_NOTFOUND) {
      throw Fault("journal " + path_.string() + ": not a journal: no table " + name);
    }
    require(code, "open a table");
  };
  open_table("journal", journal_table_);
  open_table("state", state_table_);
  open_table("meta", meta_table_);
}

void LmdbJournal::read_meta(MDB_txn* transaction) {
  MDB_val key = mdb_value("format"), value{};
  require(mdb_get(transaction, meta_table_, &key, &value), "read the format");
  if (number_of(mdb_view(value)) != format_current) {
    throw Fault("journal " + path_.string() + ": written in a format that this release does not " +
                "know");
  }
  head_ = head_in(transaction);
}

Head LmdbJournal::head_in(MDB_txn* transaction) const {
  MDB_val key = mdb_value("head"), value{};
  require(mdb_get(transaction, meta_table_, &key, &value), "read the head");
  const std::string_view head = mdb_view(value);
  if (head.size() != number_bytes + hash_bytes) {
    throw Fault("journal " + path_.string() + ": the head is damaged");
  }
  return {EntryNumber(number_of(head.substr(0, number_bytes))), hash_of(head.substr(number_bytes))};
}

// The last key of the table, not the head's: in a damaged store entries may follow the head, and
// the audit must read them.
void LmdbJournal::note_last_key(MDB_txn* transaction) {
  LmdbCursor cursor(transaction, journal_table_, path_);
  MDB_val key{}, value{};
  last_key_ = cursor.move(MDB_LAST, key, value) ? std::string(mdb_view(key)) : std::string();
}

void LmdbJournal::check_head_is_last(MDB_txn* transaction) const {
  LmdbCursor cursor(transaction, journal_table_, path_);
  MDB_val key{}, value{};
  Head last;
  if (cursor.move(MDB_LAST, key, value)) {
    const StoredEntry entry = stored_entry(key, value);
    last = {entry.number, entry.hash};
  }
  if (last != head_) {
    throw Fault("journal " + path_.string() + ": the head names entry " +
                std::to_string(head_.entry.value()) + " with hash " + hex(head_.hash) +
                ", but the last entry is " + std::to_string(last.entry.value()) + " with hash " +
                hex(last.hash));
  }
}

// Accessing a page beyond the end of a truncated file would kill the process by a signal. The
// writer extends the file with zeros, which no check accepts as an entry; a reader changes nothing,
// so it throws. A shorter file is not damage in itself: LMDB does not write pages at the end that
// it freed in the same transaction.
void LmdbJournal::require_whole_file(Use use) const {
  MDB_envinfo info{};
  MDB_stat status{};
  require(mdb_env_info(environment_.get(), &info), "ask for its size");
  require(mdb_env_stat(environment_.get(), &status), "ask for its page size");
  const std::size_t wanted_bytes = (info.me_last_pgno + 1) * status.ms_psize;
  const std::filesystem::path data = path_ / "data.mdb";
  std::error_code error;
  const std::size_t held_bytes = std::filesystem::file_size(data, error);
  if (!error && held_bytes >= wanted_bytes) return;
  if (use == Use::read && !error) {
    throw Fault(data.string() + ": shorter than the pages it should hold");
  }
  if (!error) std::filesystem::resize_file(data, wanted_bytes, error);
  if (error) throw Fault(data.string() + ": cannot lengthen it: " + error.message());
}

void LmdbJournal::require(int code, const char* doing) const {
  if (code != MDB_SUCCESS) mdb_fail(path_, doing, code);
}

void LmdbJournal::commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
  INVARIANT(lock_ != nullptr);
  LmdbTransaction transaction(environment_.get(), path_, 0);
  Head head = head_;
  {
    LmdbCursor end(transaction.get(), journal_table_, path_);
    for (const std::string& bytes : entries) {
      head.entry = head.entry.next();
      head.hash = chain_hash(head.hash, head.entry, bytes);
      end.append(big_endian(head.entry.value()), head.hash, bytes);
    }
  }
  for (const Row& row : rows) {
    MDB_val key = mdb_value(row.key);
    if (row.value) {
      MDB_val value = mdb_value(*row.value);
      require(mdb_put(transaction.get(), state_table_, &key, &value, 0), "write a row");
    } else {
      const int code = mdb_del(transaction.get(), state_table_, &key, nullptr);
      if (code != MDB_NOTFOUND) require(code, "erase a row");
    }
  }
  const std::string number = big_endian(head.entry.value());
  std::string head_bytes(number);
  head_bytes.append(head.hash.begin(), head.hash.end());
  MDB_val key = mdb_value("head"), value = mdb_value(head_bytes);
  require(mdb_put(transaction.get(), meta_table_, &key, &value, 0), "write the head");
  transaction.commit();
  head_ = head;
}

void LmdbJournal::read(EntryNumber from,
                       const std::function<bool(const StoredEntry&)>& visit) const {
  // Committed, though it wrote nothing: an abort would close the tables that it opened.
  if (snapshot_) require(mdb_txn_commit(snapshot_.release()), "end the snapshot");
  // Starts at the very first record if all are requested: a damaged key may precede entry 1.
  std::string key = from.value() <= 1 ? std::string() : big_endian(from.value());
  std::size_t entries_max = 1;  // a reader of one entry does not pay for a thousand
  for (bool key_was_visited = false;; key_was_visited = true) {
    const std::vector<StoredEntry> chunk = read_chunk(key, key_was_visited, entries_max);
    if (chunk.empty()) return;
    entries_max = chunk_entries_max;
    for (const StoredEntry& entry : chunk) {
      if (!visit(entry)) return;
    }
  }
}

// Copies the records from `key` on (after `key`, if it was visited); `key` becomes the last one's
// key. Empty: there are no more.
std::vector<StoredEntry> LmdbJournal::read_chunk(std::string& key, bool key_was_visited,
                                                 std::size_t entries_max) const {
  const LmdbTransaction transaction(environment_.get(), path_, MDB_RDONLY);
  LmdbCursor cursor(transaction.get(), journal_table_, path_);
  MDB_val at = mdb_value(key), value{};
  bool found = cursor.move(key.empty() ? MDB_FIRST : MDB_SET_RANGE, at, value);
  if (found && key_was_visited && mdb_view(at) == key) found = cursor.move(MDB_NEXT, at, value);
  std::vector<StoredEntry> chunk;
  std::string key_copied = key;
  std::size_t bytes = 0;
  while (found && chunk.size() < entries_max && bytes < chunk_bytes_max &&
         (!last_key_ || mdb_view(at) <= *last_key_)) {
    chunk.push_back(stored_entry(at, value));
    bytes += value.mv_size;
    key_copied = mdb_view(at);
    found = cursor.move(MDB_NEXT, at, value);
  }
  key = std::move(key_copied);
  return chunk;
}

std::vector<Row> LmdbJournal::rows() const {
  INVARIANT(lock_ != nullptr || snapshot_ != nullptr);
  std::optional<LmdbTransaction> own;
  MDB_txn* transaction =
      snapshot_ ? snapshot_.get() : own.emplace(environment_.get(), path_, MDB_RDONLY).get();
  return rows_in(transaction);
}

Journal::Stored LmdbJournal::stored() const {
  const LmdbTransaction transaction(environment_.get(), path_, MDB_RDONLY);
  return {head_in(transaction.get()), rows_in(transaction.get())};
}

std::vector<Row> LmdbJournal::rows_in(MDB_txn* transaction) const {
  LmdbCursor cursor(transaction, state_table_, path_);
  std::vector<Row> all;
  MDB_val key{}, value{};
  for (bool found = cursor.move(MDB_FIRST, key, value); found;
       found = cursor.move(MDB_NEXT, key, value)) {
    all.push_back({std::string(mdb_view(key)), std::string(mdb_view(value))});
  }
  return all;
}

std::optional<std::string> LmdbJournal::row(std::string_view key) const {
  const LmdbTransaction transaction(environment_.get(), path_, MDB_RDONLY);
  MDB_val wanted = mdb_value(key), value{};
  const int code = mdb_get(transaction.get(), state_table_, &wanted, &value);
  if (code == MDB_NOTFOUND) return std::nullopt;
  require(code, "read a row");
  return std::string(mdb_view(value));
}

void LmdbJournal::snapshot_to(const std::filesystem::path& folder) const {
  INVARIANT(lock_ == nullptr);
  if (snapshot_) require(mdb_txn_commit(snapshot_.release()), "end the snapshot");
  require(mdb_env_copy(environment_.get(), folder.c_str()), "copy it; is the other disk full?");
  // LMDB uses the umask.
  if (::chmod((folder / "data.mdb").c_str(), file_mode) != 0) fail_with_errno(folder, "close it");
  sync_file(folder / "data.mdb");
  sync_directory(folder);
}

void LmdbJournal::maintain() {
  int readers_dead = 0;
  require(mdb_reader_check(environment_.get(), &readers_dead), "look for readers that died");
}

JournalSpace LmdbJournal::room() const {
  MDB_envinfo info{};
  MDB_stat status{};
  require(mdb_env_info(environment_.get(), &info), "ask for its size");
  require(mdb_env_stat(environment_.get(), &status), "ask for its page size");
  const std::size_t bytes = info.me_mapsize;
  const std::size_t used_bytes = (info.me_last_pgno + 1) * status.ms_psize;
  return {bytes - std::min(bytes, used_bytes),
          static_cast<double>(used_bytes) / static_cast<double>(bytes)};
}

unsigned int LmdbJournal::environment_flags() const {
  unsigned int flags = 0;
  require(mdb_env_get_flags(environment_.get(), &flags), "ask for its flags");
  return flags;
}

}  // namespace linkmeter
