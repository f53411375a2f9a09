// Data that a table's agent has stored and a restart reads: the rows of its outbox after damage,
// and the positions of its drivers, which are texts in our own format.
#include <lmdb.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "meters/values/invariant.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/fnv1a.h"
#include "proto/host/fault.h"
#include "table-agent/link/known_nodes.h"
#include "table-agent/link/lmdb_outbox.h"
#include "table-agent/link/local_counters.h"
#include "table-agent/link/table_agent.h"
#include "table-agent/round/round_record.h"
#include "table-agent/round/secure_random.h"
#include "table-agent/simulator/deal_driver.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

const TableId own_table("G-01");
using Rows = std::map<std::string, std::string>;

// For each row: a byte that selects its name, one that is its number, one that is its length, and
// that many bytes. If the number is even, a message gets a correct fingerprint.
Rows rows_in(std::string_view bytes) {
  Rows rows{{"table", own_table.text()}, {"last", big_endian(0)}};
  while (bytes.size() >= 3) {
    const auto which = static_cast<unsigned char>(bytes[0]) % 8;
    const auto number = static_cast<unsigned char>(bytes[1]);
    std::string value(bytes.substr(3, static_cast<unsigned char>(bytes[2])));
    bytes.remove_prefix(std::min(bytes.size(), 3 + value.size()));
    const std::string key = big_endian(number / 2);
    const std::string whole = big_endian(fingerprint(value)) + value;
    if (which == 0) rows["table"] = value;
    if (which == 1) rows["last"] = number % 2 == 0 ? key : value;
    if (which == 2) rows["before"] = number % 2 == 0 ? key : value;
    if (which == 3) rows["witness"] = value;
    if (which == 4) rows["history"] = value;
    if (which == 5) rows["message/" + key] = number % 2 == 0 ? whole : value;
    if (which == 6) rows["kept/" + key] = number % 2 == 0 ? key + whole : value;
    constexpr std::array<const char*, 4> places{LocalCounters::play, "table", LocalCounters::play,
                                                KnownNodes::place};
    if (which == 7) rows[std::string("place/") + places[number % places.size()]] = value;
  }
  return rows;
}

void demand(int code) { INVARIANT(code == MDB_SUCCESS); }

// The store contains only these rows. No sync: nobody needs this outbox later.
void write_rows(const std::filesystem::path& folder, const Rows& rows) {
  MDB_env* environment = nullptr;
  demand(mdb_env_create(&environment));
  demand(mdb_env_open(environment, folder.c_str(), MDB_NOSYNC, 0600));
  MDB_txn* transaction = nullptr;
  demand(mdb_txn_begin(environment, nullptr, 0, &transaction));
  MDB_dbi all = 0;
  demand(mdb_dbi_open(transaction, nullptr, 0, &all));
  demand(mdb_drop(transaction, all, 0));
  for (const auto& [key, value] : rows) {
    MDB_val name{key.size(), const_cast<char*>(key.data())};
    MDB_val content{value.size(), const_cast<char*>(value.data())};
    demand(mdb_put(transaction, all, &name, &content, 0));
  }
  demand(mdb_txn_commit(transaction));
  mdb_env_close(environment);
}

// After an accepted outbox: the messages are the stored ones, the next one can follow, and all is
// there after another restart.
void go_on(LmdbOutbox& outbox, const Rows& rows) {
  const std::vector<StoredMessage> messages = outbox.unacknowledged();
  for (const StoredMessage& one : messages) {
    const auto row = rows.find("message/" + big_endian(one.number.value()));
    INVARIANT(row != rows.end() && row->second.substr(8) == one.bytes);
  }
  INVARIANT(messages.empty() || messages.back().number == outbox.last_number());
  INVARIANT(outbox.history().size() * 40 ==
            (rows.contains("history") ? rows.at("history").size() : 0));
  TableAgent agent(own_table, outbox);
  INVARIANT(agent.unacknowledged_count() == messages.size());
  agent.count_by(LocalCounters(Played::once().state.floor().links));
  INVARIANT(agent.to_send(Timestamp::from_microseconds(1)).size() == 1);
  const Head head{EntryNumber(messages.size()), {}};
  static_cast<void>(outbox.resend_after(head));
  INVARIANT(outbox.witness().entry == head.entry);
}

// The next round that is dealt from a random position.
void deal_from(std::string_view stored) {
  const Played& played = Played::once();
  const Floor& floor = played.state.floor();
  static const TableIndex at = floor.find_table(own_table).value();
  static const TableOffers table = TableOffers::at(floor, played.rules, at);
  DealDriver play(table, {7, 1, 0}, stored,
                  BonusDraw(BonusDraw::terms_at(floor, played.rules, at), SecureRandom()));
  INVARIANT(play.next().has_value());
}

}  // namespace

void judge_outbox(std::string_view bytes) {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path made = scratch_folder() / "G-01.outbox";
    static_cast<void>(LmdbOutbox(made, own_table));
    return made;
  }();
  const Rows rows = rows_in(bytes);
  write_rows(folder, rows);
  try {
    LmdbOutbox outbox(folder, own_table);
    go_on(outbox, rows);
  } catch (const Fault& fault) {
    INVARIANT(std::string_view(fault.what()).find("outbox") != std::string_view::npos ||
              std::string_view(fault.what()).find("table") != std::string_view::npos);
  }
}

// A position that was read is written so that it is read again as the same.
void judge_place(std::string_view bytes) {
  if (const auto round = RoundRecord::read(bytes)) {
    const auto again = RoundRecord::read(round->place());
    INVARIANT(again.has_value());
    INVARIANT(again->place() == round->place());
    INVARIANT(*again == *round);
    static_cast<void>(round->lights());
    for (const ShownHand& hand : round->hands()) static_cast<void>(round->is_waiting(hand.seat));
    INVARIANT(!round->id().text().empty());
  }
  LocalCounters counts(Played::once().state.floor().links);
  try {
    counts.continue_from(bytes, MessageNumber(7));
    const std::string text = counts.text();
    LocalCounters again(Played::once().state.floor().links);
    again.continue_from(text, MessageNumber(9));
    INVARIANT(again.text() == text);
    INVARIANT(counts.report().links == again.report().links);
    counts.note(MessageNumber(~std::uint64_t{0}), CloseRound{RoundId("r1"), Badge()},
                LocalCounters::Became::accepted);
  } catch (const Fault& fault) {
    INVARIANT(!std::string_view(fault.what()).empty());
  }
  try {
    deal_from(bytes);
  } catch (const Fault& fault) {
    INVARIANT(std::string_view(fault.what()).starts_with("outbox"));
  }
}

}  // namespace linkmeter::fuzz
