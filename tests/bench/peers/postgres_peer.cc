// PostgreSQL: a journal and one hot meter, in one prepared statement, one round trip and one
// commit; synchronous_commit is on. It has no hash chain and no CURVE. Without a key the journal
// has no index and counts a resend twice; with a key, once, as Linkmeter does.
#include <libpq-fe.h>

#include <memory>
#include <stdexcept>

#include "tests/bench/peers/crew.h"

namespace linkmeter::bench {
namespace {

struct ConnectionEnd {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using Connection = std::unique_ptr<PGconn, ConnectionEnd>;

struct ResultEnd {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ResultEnd>;

Result done_well(PGconn* connection, PGresult* raw) {
  Result result(raw);
  const ExecStatusType status = PQresultStatus(raw);
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    throw std::runtime_error(std::string("postgres: ") + PQerrorMessage(connection));
  }
  return result;
}

Result told_by(PGconn* connection, const char* statement) {
  return done_well(connection, PQexec(connection, statement));
}

Connection opened_connection(const std::string& folder) {
  Connection connection(PQconnectdb(("host=" + folder + " user=bench dbname=postgres").c_str()));
  if (PQstatus(connection.get()) != CONNECTION_OK) {
    throw std::runtime_error(std::string("postgres: ") + PQerrorMessage(connection.get()));
  }
  told_by(connection.get(), "SET client_min_messages = warning");
  const Result synchronous = told_by(connection.get(), "SHOW synchronous_commit");
  if (std::string(PQgetvalue(synchronous.get(), 0, 0)) != "on") {
    throw std::runtime_error("postgres: synchronous_commit is not on");
  }
  return connection;
}

constexpr const char* tables =
    "DROP TABLE IF EXISTS journal, meters;"
    "CREATE TABLE journal (entry bigserial, place int, number bigint, seat int, kind text,"
    " cents bigint, round text);"
    "CREATE TABLE meters (link int PRIMARY KEY, mega bigint, major bigint, minor bigint)"
    " WITH (fillfactor = 10);"
    "INSERT INTO meters VALUES (1, 0, 0, 0)";
constexpr const char* key = "ALTER TABLE journal ADD PRIMARY KEY (place, number)";

// One wager in each commit.
constexpr const char* single =
    "WITH said AS (INSERT INTO journal (place, number, seat, kind, cents, round)"
    " VALUES ($1::int, $2::bigint, $3::int, $4::text, $5::bigint, $6::text))"
    " UPDATE meters SET mega = mega + $5 * 90000, major = major + $5 * 70000,"
    " minor = minor + $5 * 30000 WHERE link = 1";

// Many wagers, as arrays; the meter is written once, with the sum of what the journal took.
std::string batch(bool is_keyed) {
  return std::string(
             "WITH said AS (INSERT INTO journal (place, number, seat, kind, cents, round)"
             " SELECT $1::int, n, s, $4::text, c, r"
             " FROM unnest($2::bigint[], $3::int[], $5::bigint[], $6::text[])"
             " AS all_of(n, s, c, r)") +
         (is_keyed ? " ON CONFLICT DO NOTHING" : "") +
         " RETURNING cents),"
         " added AS (SELECT coalesce(sum(cents), 0)::bigint AS cents FROM said)"
         " UPDATE meters SET mega = mega + added.cents * 90000,"
         " major = major + added.cents * 70000, minor = minor + added.cents * 30000"
         " FROM added WHERE link = 1";
}

class PostgresClient : public Client {
 public:
  PostgresClient(const std::string& folder, std::size_t client, std::size_t per_piece,
                 bool is_keyed)
      : connection_(opened_connection(folder)), wagers_(client), per_piece_(per_piece) {
    const std::string statement = per_piece == 1 ? single : batch(is_keyed);
    done_well(connection_.get(),
              PQprepare(connection_.get(), "hand_in", statement.c_str(), 0, nullptr));
  }

  void hand_in() override {
    std::array<std::string, 6> words;
    if (per_piece_ == 1) {
      const PeerWager one = wagers_.next();
      words = {std::to_string(one.table),   std::to_string(one.number),
               std::to_string(one.seat),    wager_kind,
               std::to_string(wager_cents), one.round};
    } else {
      words = {"", "{", "{", wager_kind, "{", "{"};
      for (std::size_t at = 0; at < per_piece_; ++at) {
        const PeerWager one = wagers_.next();
        const char* end = at + 1 == per_piece_ ? "}" : ",";
        words[0] = std::to_string(one.table);
        words[1] += std::to_string(one.number) + end;
        words[2] += std::to_string(one.seat) + end;
        words[4] += std::to_string(wager_cents) + end;
        words[5] += one.round + end;
      }
    }
    std::array<const char*, 6> values{};
    for (std::size_t at = 0; at < words.size(); ++at) values[at] = words[at].c_str();
    done_well(connection_.get(), PQexecPrepared(connection_.get(), "hand_in", values.size(),
                                                values.data(), nullptr, nullptr, 0));
  }

 private:
  Connection connection_;
  WagerSource wagers_;
  std::size_t per_piece_;
};

std::int64_t number_at(const Result& result, int column) {
  return std::stoll(PQgetvalue(result.get(), 0, column));
}

}  // namespace

CrewDone run_postgres(const std::string& place, const CrewTask& task, bool is_keyed) {
  const Connection own = opened_connection(place);
  told_by(own.get(), tables);
  if (is_keyed) told_by(own.get(), key);
  CrewDone done = run_crew(task, [&](std::size_t at) {
    return std::make_unique<PostgresClient>(place, at, task.per_piece, is_keyed);
  });
  // A repeat is counted once.
  if (is_keyed) PostgresClient(place, 0, task.per_piece, is_keyed).hand_in();
  const Result counted = told_by(own.get(), "SELECT count(*) FROM journal");
  const Result meters = told_by(own.get(), "SELECT mega, major, minor FROM meters");
  if (static_cast<std::uint64_t>(number_at(counted, 0)) != done.wagers) {
    throw std::runtime_error("WRONG: postgres has not journaled every wager");
  }
  for (int level = 0; level < 3; ++level) {
    require_meter(number_at(meters, level), static_cast<std::size_t>(level), done.wagers);
  }
  return done;
}

}  // namespace linkmeter::bench
