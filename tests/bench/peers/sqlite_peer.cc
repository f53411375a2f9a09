// SQLite, in process: WAL, synchronous FULL; a journal without an index of its own, and the meters
// written once in each commit. There is one writer at a time, so there is one client.
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

#include "tests/bench/peers/crew.h"

namespace linkmeter::bench {
namespace {

struct DatabaseEnd {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct StatementEnd {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, DatabaseEnd>;
using Attestation = std::unique_ptr<sqlite3_stmt, StatementEnd>;

void require_ok(const Database& database, bool holds) {
  if (!holds) throw std::runtime_error(std::string("sqlite: ") + sqlite3_errmsg(database.get()));
}

Attestation prepared(const Database& database, const char* text) {
  sqlite3_stmt* made = nullptr;
  require_ok(database, sqlite3_prepare_v2(database.get(), text, -1, &made, nullptr) == SQLITE_OK);
  return Attestation(made);
}

std::int64_t asked(const Database& database, const char* text) {
  const Attestation statement = prepared(database, text);
  require_ok(database, sqlite3_step(statement.get()) == SQLITE_ROW);
  return sqlite3_column_int64(statement.get(), 0);
}

void tell(const Database& database, const char* text) {
  require_ok(database, sqlite3_exec(database.get(), text, nullptr, nullptr, nullptr) == SQLITE_OK);
}

class SqliteClient : public Client {
 public:
  SqliteClient(const Database& database, std::size_t per_piece)
      : database_(database),
        begin_(prepared(database, "BEGIN IMMEDIATE")),
        append_(prepared(database,
                         "INSERT INTO journal (place, number, seat, kind, cents, round)"
                         " VALUES (?, ?, ?, ?, ?, ?)")),
        add_(prepared(database,
                      "UPDATE meters SET mega = mega + ?1 * 90000,"
                      " major = major + ?1 * 70000, minor = minor + ?1 * 30000"
                      " WHERE link = 1")),
        commit_(prepared(database, "COMMIT")),
        per_piece_(per_piece) {}

  void hand_in() override {
    run(begin_);
    for (std::size_t at = 0; at < per_piece_; ++at) {
      const PeerWager one = wagers_.next();
      sqlite3_stmt* append = append_.get();
      sqlite3_bind_int(append, 1, one.table);
      sqlite3_bind_int64(append, 2, one.number);
      sqlite3_bind_int(append, 3, one.seat);
      sqlite3_bind_text(append, 4, wager_kind, -1, SQLITE_STATIC);
      sqlite3_bind_int64(append, 5, wager_cents);
      sqlite3_bind_text(append, 6, one.round.c_str(), -1, SQLITE_TRANSIENT);
      run(append_);
    }
    sqlite3_bind_int64(add_.get(), 1, wager_cents * static_cast<std::int64_t>(per_piece_));
    run(add_);
    run(commit_);
  }

 private:
  void run(const Attestation& statement) {
    require_ok(database_, sqlite3_step(statement.get()) == SQLITE_DONE);
    sqlite3_reset(statement.get());
  }

  const Database& database_;
  Attestation begin_, append_, add_, commit_;
  WagerSource wagers_{0};
  std::size_t per_piece_;
};

}  // namespace

CrewDone run_sqlite(const std::string& place, const CrewTask& task) {
  if (task.clients != 1) throw std::runtime_error("sqlite: there is one writer");
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(place + end);
  sqlite3* opened = nullptr;
  const int code = sqlite3_open(place.c_str(), &opened);
  const Database database(opened);
  require_ok(database, code == SQLITE_OK);
  tell(database,
       "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
       "CREATE TABLE journal (entry INTEGER PRIMARY KEY, place INT, number INT, seat INT,"
       " kind TEXT, cents INT, round TEXT);"
       "CREATE TABLE meters (link INTEGER PRIMARY KEY, mega INT, major INT, minor INT);"
       "INSERT INTO meters VALUES (1, 0, 0, 0)");
  constexpr std::int64_t full = 2;
  require_ok(database, asked(database, "PRAGMA synchronous") == full);
  CrewDone done = run_crew(
      task, [&](std::size_t) { return std::make_unique<SqliteClient>(database, task.per_piece); });
  if (static_cast<std::uint64_t>(asked(database, "SELECT count(*) FROM journal")) != done.wagers) {
    throw std::runtime_error("WRONG: sqlite has not journaled every wager");
  }
  const char* columns[] = {"SELECT mega FROM meters", "SELECT major FROM meters",
                           "SELECT minor FROM meters"};
  for (std::size_t level = 0; level < std::size(columns); ++level) {
    require_meter(asked(database, columns[level]), level, done.wagers);
  }
  return done;
}

}  // namespace linkmeter::bench
