#include "table-agent/link/lmdb_outbox.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "meters/values/invariant.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/fnv1a.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "table-agent/link/node_fault.h"

namespace linkmeter {

namespace {

constexpr std::string_view message_prefix = "message/";
constexpr std::string_view kept_prefix = "kept/";
constexpr std::string_view place_prefix = "place/";

std::string message_key(MessageNumber number) {
  return std::string(message_prefix) + big_endian(number.value());
}

std::string kept_key(MessageNumber number) {
  return std::string(kept_prefix) + big_endian(number.value());
}

std::string place_key(std::string_view play) {
  return std::string(place_prefix) + std::string(play);
}

// Several times the kept messages and a full window of the largest messages: a message may take
// twice its size, and LMDB frees pages one commit later.
constexpr std::size_t map_bytes = 512UL * 1024 * 1024;
constexpr std::size_t head_bytes = 40;

std::string bytes_of(const Head& head) {
  std::string bytes = big_endian(head.entry.value());
  for (const std::uint8_t byte : head.hash) bytes += static_cast<char>(byte);
  return bytes;
}

// The first head in the bytes.
Head read_head(std::string_view bytes) {
  Head head;
  static_assert(head_bytes == 8 + sizeof(head.hash));
  INVARIANT(bytes.size() >= head_bytes);
  head.entry = EntryNumber(from_big_endian(bytes.substr(0, 8)));
  std::memcpy(head.hash.data(), bytes.data() + 8, head.hash.size());
  return head;
}

}  // namespace

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
  void lock(const TableId& table);
  // The data file gets its name only when its first commit is on disk, so an interrupted creation
  // starts over. REQUIRES: locked.
  void make_if_missing(const TableId& table) const;
  void open_environment();
  void open_environment_to_read();

  std::filesystem::path folder;
  FileDescriptor lock_file;
  MDB_env* environment = nullptr;
};

// Aborts unless committed. The views that it returns are valid as long as it exists.
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
  // Visits all keys with this prefix, in order, until a visitor returns false.
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
  // The journal's head that the table saw last; entry 0: none yet.
  Head witness() const {
    const auto content = get("witness");
    if (content && content->size() != head_bytes) {
      store_.fail("damaged: the witness is not an entry and a hash");
    }
    return content ? read_head(*content) : Head{};
  }
  // Durable on return.
  void commit() {
    store_.check(mdb_txn_commit(std::exchange(transaction_, nullptr)), "mdb_txn_commit");
  }

 private:
  // LMDB takes pointers to non-const but does not write through them.
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

void LmdbOutbox::Store::lock(const TableId& table) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    fail(std::string("cannot make the folder: ") + std::strerror(errno));
  }
  const std::filesystem::path path = folder / "agent.lock";
  lock_file = FileDescriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock_file.is_open()) fail("cannot open agent.lock: " + std::string(std::strerror(errno)));
  if (::flock(lock_file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) fail("cannot lock agent.lock: " + std::string(std::strerror(errno)));
    fail("another agent is running table " + table.text() + " from this folder");
  }
}

void LmdbOutbox::Store::open_environment() {
  check(mdb_env_create(&environment), "mdb_env_create");
  check(mdb_env_set_mapsize(environment, map_bytes), "mdb_env_set_mapsize");
  check(mdb_env_open(environment, folder.c_str(), 0, 0600), "mdb_env_open");
  // A new file is durable only when its folder is synced too.
  sync_directory(folder);
  const std::filesystem::path parent = std::filesystem::absolute(folder).parent_path();
  sync_directory(parent.empty() ? "/" : parent);
}

void LmdbOutbox::Store::make_if_missing(const TableId& table) const {
  std::error_code error;
  if (std::filesystem::exists(folder / "data.mdb", error)) return;
  if (error) fail("cannot look for data.mdb: " + error.message());  // it may exist, with messages
  Store draft(folder / "unfinished");
  std::filesystem::remove_all(draft.folder, error);
  if (error || ::mkdir(draft.folder.c_str(), 0700) != 0)
    fail("cannot make " + draft.folder.string());
  draft.open_environment();
  {
    Transaction transaction(draft, Transaction::Kind::write);
    transaction.put("table", table.text());
    transaction.put("last", big_endian(0));
    transaction.commit();
  }
  draft.close();
  std::filesystem::rename(draft.folder / "data.mdb", folder / "data.mdb", error);
  if (error) fail("cannot move the new data.mdb to its place: " + error.message());
  std::filesystem::remove_all(draft.folder, error);  // if this fails, the next start does it
}

void LmdbOutbox::Store::open_environment_to_read() {
  std::error_code error;
  if (!std::filesystem::exists(folder / "data.mdb", error)) fail("there is no outbox here");
  check(mdb_env_create(&environment), "mdb_env_create");
  check(mdb_env_open(environment, folder.c_str(), MDB_RDONLY | MDB_NOTLS, 0600), "mdb_env_open");
}

LmdbOutbox::LmdbOutbox(const std::filesystem::path& folder, const TableId& table)
    : store_(std::make_unique<Store>(folder)) {
  store_->lock(table);
  store_->make_if_missing(table);
  store_->open_environment();
  open_contents(table);
}

LmdbOutbox::~LmdbOutbox() = default;

void LmdbOutbox::open_contents(const TableId& table) {
  {
    Transaction transaction(*store_, Transaction::Kind::write);
    const auto owner = transaction.get("table");
    if (!owner) {  // release 0.1.0 made it in place, and was interrupted
      transaction.put("table", table.text());
      transaction.put("last", big_endian(0));
      transaction.commit();
      return;
    }
    if (*owner != table.text()) {
      store_->fail("this is the outbox of table " + std::string(*owner) + ", not of " +
                   table.text());
    }
    const auto last = transaction.get("last");
    if (!last || last->size() != 8) store_->fail("damaged: no last number");
    last_number_ = MessageNumber(from_big_endian(*last));
    (void)transaction.witness();
    if (const auto heads = transaction.get("history"); heads && heads->size() % head_bytes != 0) {
      store_->fail("damaged: the history is not entries and hashes");
    }
    transaction.each(kept_prefix, [this](std::string_view key, std::string_view content) {
      if (key.size() != 8 || content.size() < 16) store_->fail("damaged: a kept message");
      kept_bytes_ += content.size();
      return true;
    });
  }
  // Every stored message must be whole, and their numbers must reach the last one without a gap.
  const std::vector<StoredMessage> messages = unacknowledged();
  for (std::size_t place = 0; place < messages.size(); ++place) {
    if (messages[place].number.value() + (messages.size() - 1 - place) != last_number_.value()) {
      store_->fail("damaged: the stored messages do not run up to number " +
                   std::to_string(last_number_.value()));
    }
  }
}

std::vector<StoredMessage> LmdbOutbox::unacknowledged() const {
  return unacknowledged_in(Transaction(*store_, Transaction::Kind::read));
}

std::vector<StoredMessage> LmdbOutbox::unacknowledged_in(const Transaction& transaction) const {
  std::vector<StoredMessage> messages;
  transaction.each(message_prefix, [&](std::string_view key, std::string_view content) {
    const bool is_shaped = key.size() == 8 && content.size() >= 8;
    if (!is_shaped || fingerprint(content.substr(8)) != from_big_endian(content.substr(0, 8))) {
      store_->fail("damaged: stored message " + std::to_string(from_big_endian(key)));
    }
    messages.push_back({MessageNumber(from_big_endian(key)), std::string(content.substr(8))});
    return true;
  });
  return messages;
}

Head LmdbOutbox::witness() const { return Transaction(*store_, Transaction::Kind::read).witness(); }

std::vector<Head> LmdbOutbox::history() const {
  const Transaction transaction(*store_, Transaction::Kind::read);
  std::vector<Head> history;
  std::string_view rest = transaction.get("history").value_or("");
  for (; !rest.empty(); rest.remove_prefix(head_bytes)) history.push_back(read_head(rest));
  return history;
}

Head LmdbOutbox::witness_in(const std::filesystem::path& folder, const TableId& table) {
  Store store(folder);
  store.open_environment_to_read();
  const Transaction transaction(store, Transaction::Kind::read);
  const auto owner = transaction.get("table");
  if (!owner || *owner != table.text()) {
    store.fail("this is not the outbox of table " + table.text());
  }
  return transaction.witness();
}

std::string LmdbOutbox::place(std::string_view play) const {
  const Transaction transaction(*store_, Transaction::Kind::read);
  return std::string(transaction.get(place_key(play)).value_or(""));
}

std::vector<Position> LmdbOutbox::places(std::string_view play_prefix) const {
  const Transaction transaction(*store_, Transaction::Kind::read);
  std::vector<Position> found;
  transaction.each(place_key(play_prefix), [&](std::string_view rest, std::string_view place) {
    found.push_back({std::string(play_prefix) + std::string(rest), std::string(place)});
    return true;
  });
  return found;
}

void LmdbOutbox::append(const std::vector<StoredMessage>& messages, const Position& position) {
  Transaction transaction(*store_, Transaction::Kind::write);
  MessageNumber number = last_number_;
  for (const StoredMessage& message : messages) {
    number = number.next();
    INVARIANT(message.number == number);
    transaction.put(message_key(number), big_endian(fingerprint(message.bytes)) + message.bytes);
  }
  transaction.put("last", big_endian(number.value()));
  transaction.put(place_key(position.play), position.place);
  transaction.commit();
  last_number_ = number;
}

void LmdbOutbox::go_on_after(MessageNumber number) {
  INVARIANT(last_number_ == MessageNumber());
  Transaction transaction(*store_, Transaction::Kind::write);
  transaction.put("last", big_endian(number.value()));
  transaction.put("before", big_endian(number.value()));
  transaction.commit();
  last_number_ = number;
}

void LmdbOutbox::put_history(Transaction& transaction, const std::vector<Head>& history) {
  std::string content;
  for (const Head& one : history) content += bytes_of(one);
  transaction.put("history", content);
}

void LmdbOutbox::acknowledge(MessageNumber up_to, const Head& head,
                             const std::vector<Position>& positions,
                             const std::vector<EntryNumber>& entries) {
  INVARIANT(up_to <= last_number_);
  Transaction transaction(*store_, Transaction::Kind::write);
  std::vector<std::pair<MessageNumber, std::string>> answered;
  transaction.each(message_prefix, [&](std::string_view key, std::string_view content) {
    if (from_big_endian(key) > up_to.value()) return false;
    const EntryNumber entry =
        answered.size() < entries.size() ? entries[answered.size()] : head.entry;
    answered.emplace_back(MessageNumber(from_big_endian(key)),
                          big_endian(entry.value()) + std::string(content));
    return true;
  });
  std::size_t kept_bytes = kept_bytes_;
  for (const auto& [number, content] : answered) {
    transaction.erase(message_key(number));
    transaction.put(kept_key(number), content);
    kept_bytes += content.size();
  }
  kept_bytes = forget_oldest(transaction, kept_bytes);
  transaction.put("witness", bytes_of(head));
  for (const Position& one : positions) transaction.put(place_key(one.play), one.place);
  transaction.commit();
  kept_bytes_ = kept_bytes;
}

std::size_t LmdbOutbox::forget_oldest(Transaction& transaction, std::size_t kept_bytes) const {
  std::vector<MessageNumber> oldest;
  transaction.each(kept_prefix, [&](std::string_view key, std::string_view content) {
    if (kept_bytes <= kept_bytes_max) return false;
    oldest.emplace_back(from_big_endian(key));
    kept_bytes -= content.size();
    return true;
  });
  for (const MessageNumber number : oldest) transaction.erase(kept_key(number));
  return kept_bytes;
}

unsigned int LmdbOutbox::environment_flags() const {
  unsigned int flags = 0;
  store_->check(mdb_env_get_flags(store_->environment, &flags), "mdb_env_get_flags");
  return flags;
}

// ---- After a restoration of the journal. --------------------------------------------------------

std::uint64_t LmdbOutbox::resend_after(const Head& head) {
  Transaction transaction(*store_, Transaction::Kind::write);
  const Head seen = transaction.witness();
  if (head.entry > seen.entry) {
    store_->fail("this table has not seen entry " + std::to_string(head.entry.value()) +
                 ", only up to " + std::to_string(seen.entry.value()) + ": nothing is lost");
  }
  const auto before = transaction.get("before");
  const std::uint64_t first_own = before ? from_big_endian(*before) + 1 : 1;
  const std::uint64_t first_open =
      last_number_.next().value() - unacknowledged_in(transaction).size();
  std::uint64_t first_kept = first_open;
  bool reaches_back = false;
  Lost lost;
  transaction.each(kept_prefix, [&](std::string_view key, std::string_view content) {
    const std::uint64_t number = from_big_endian(key);
    first_kept = std::min(first_kept, number);
    if (from_big_endian(content.substr(0, 8)) <= head.entry.value()) {
      reaches_back = true;
    } else {
      lost.emplace_back(MessageNumber(number), std::string(content.substr(8)));
    }
    return true;
  });
  if (!reaches_back && first_kept != first_own && head.entry < seen.entry) {
    store_->fail("it keeps only the messages from " + std::to_string(first_kept) +
                 " on, and none that became an entry up to " + std::to_string(head.entry.value()) +
                 ": those in between are lost");
  }
  check_runs_on(lost, first_open);
  resend(transaction, lost, head);
  return lost.size();
}

std::uint64_t LmdbOutbox::requeue_behind(MessageNumber last, const Head& head,
                                         const std::vector<Head>& history) {
  Transaction transaction(*store_, Transaction::Kind::write);
  const std::uint64_t first_open =
      last_number_.next().value() - unacknowledged_in(transaction).size();
  Lost lost;
  transaction.each(kept_prefix, [&](std::string_view key, std::string_view content) {
    const std::uint64_t number = from_big_endian(key);
    if (number > last.value()) {
      lost.emplace_back(MessageNumber(number), std::string(content.substr(8)));
    }
    return true;
  });
  check_runs_on(lost, first_open);
  if (last.value() + 1 + lost.size() < first_open) {
    throw NodeFault("the restored journal has the table's messages up to " +
                        std::to_string(last.value()) + ", and this outbox keeps only those from " +
                        std::to_string(first_open - lost.size()) + " on: those in between are lost",
                    lacks_rounds);
  }
  put_history(transaction, history);
  resend(transaction, lost, head);
  return lost.size();
}

void LmdbOutbox::note_history(const std::vector<Head>& history) {
  Transaction transaction(*store_, Transaction::Kind::write);
  put_history(transaction, history);
  transaction.commit();
}

void LmdbOutbox::check_runs_on(const Lost& lost, std::uint64_t first_open) const {
  std::uint64_t expected = first_open - lost.size();
  for (const auto& message : lost) {
    if (message.first.value() == expected++) continue;
    store_->fail("damaged: the kept messages do not run up to the unacknowledged ones");
  }
}

void LmdbOutbox::resend(Transaction& transaction, const Lost& lost, const Head& head) {
  std::size_t kept_bytes = kept_bytes_;
  for (const auto& [number, content] : lost) {
    transaction.erase(kept_key(number));
    transaction.put(message_key(number), content);
    kept_bytes -= content.size() + 8;
  }
  transaction.put("witness", bytes_of(head));
  transaction.commit();
  kept_bytes_ = kept_bytes;
}

}  // namespace linkmeter
