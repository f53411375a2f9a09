// Seeds of key files, lists and records, of rows and positions that an agent stores, of the feed,
// and of command lines.
#include <string>
#include <vector>

#include "controller/accounting/evidence/bundle.h"
#include "controller/signs/sign_record.h"
#include "proto/codec/big_endian.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/atomic_file.h"
#include "proto/wire.pb.h"
#include "table-agent/link/local_counters.h"
#include "table-agent/round/round_record.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/open_round.h"
#include "tests/fuzz/target.h"
#include "tests/support/mixed_floor.h"
#include "tests/support/random_values.h"

namespace linkmeter::fuzz {
namespace {

void add_numbered(std::vector<Seed>& all, const std::string& target,
                  const std::vector<std::string>& texts) {
  std::size_t number = 0;
  for (const std::string& bytes : texts) {
    ++number;
    all.push_back({target, (number < 10 ? "0" : "") + std::to_string(number), bytes});
  }
}

// The words, separated by zero bytes.
std::string words(char program, const std::string& line) {
  std::string bytes(1, program);
  for (const char letter : line) bytes += letter == ' ' ? '\0' : letter;
  return bytes;
}

std::vector<std::string> command_lines() {
  const std::string floor = "--floor f.toml --data d";
  const std::string table = "--floor f.toml --table G-01 --data d";
  return {words(0, floor),
          words(0, floor + " --listen tcp://*:6057 --web https://h:1 --map-size 64M --recount 9"),
          words(0, floor + " --certificate c --key k --quick-check --check-first 7"),
          words(1, table + " --deal 7 --rounds 9 --pace 5"),
          words(1, table + " --device serial:/dev/ttyUSB0 --panel http://127.0.0.1:0"),
          words(1, "--table G-01 --data d --hand-over-again-after 7:" + std::string(64, 'a')),
          words(1, table + " --deal 1 --simulate-device unix:p --plant-faults"),
          words(2, "--version"),
          words(2, "hand --wager crazy-4/five-card"),
          words(2, "odds --wager crazy-4/five-card --meter mega=1.00 --rate 12% --decks 6 --json"),
          words(2, "audit --bundle b --head 7:" + std::string(64, 'b')),
          words(2, "export --data d --format postings --day 2026-11-21 --out o --force"),
          words(2, "claims reject 7 --data d --by F-1 --reason cards_missing --note n"),
          words(2, "sign --link L --port tcp:127.0.0.1:1 --number 9 --driver plain"),
          words(2, "people add --help")};
}

std::vector<std::string> outboxes() {
  const auto row = [](char name, char number, const std::string& value) {
    return std::string{name, number, static_cast<char>(value.size())} + value;
  };
  const std::string frame =
      encode(TableMessage{TableId("G-01"), MessageNumber(2), Digest{},
                          Timestamp::from_microseconds(1), CloseRound{RoundId("r1"), Badge()}});
  const std::string head = big_endian(3) + std::string(32, 'h');
  const std::string last = row(1, 4, "");
  return {last + row(5, 4, frame),
          last + row(5, 4, frame) + row(6, 2, frame) + row(3, 0, head) + row(4, 0, head + head),
          last + row(5, 4, frame) + row(2, 2, "") + row(7, 0, "messages 1 2\n")};
}

std::vector<std::string> places() {
  RoundRecord round;
  round.house = "v1f00ba5e";
  const AskedWager wager{Seat(2), WagerId("g/w"), Amount::dollars(5)};
  LockRound lock{RoundId("v1f00ba5e-000001"), {wager}, 1, Badge("D-1")};
  const RoundRecord locked = round.next(lock);
  RoundRecord won = locked.after(royal_flush_of("v1f00ba5e-000001", 2), "shown", MessageNumber(2));
  won.wins = {{Seat(2), LineId("royal_flush"), Amount::dollars(100), ClaimNumber(1)}};
  LocalCounters counts(Played::once().state.floor().links);
  counts.continue_from("", MessageNumber());
  counts.note(MessageNumber(1), lock, LocalCounters::Became::accepted);
  std::vector<std::string> all = {locked.place(), won.place(), counts.text(), "7 2"};
  for (std::string& place : places_of_open_round()) all.push_back(std::move(place));
  return all;
}

std::string update() {
  wire::MeterUpdate told;
  told.set_link("MAIN");
  told.set_sequence(7);
  told.set_as_of_us(1'795'000'000'000'000);
  told.set_maximum_age_ms(3'000);
  told.set_status("operating");
  wire::LevelUpdate& level = *told.add_levels();
  level.set_level("main");
  level.set_amount_cents(5'000'014);
  wire::LastAward& award = *told.add_awards();
  award.set_claim(1);
  award.set_table("G-01");
  award.set_amount_cents(5'000'000);
  award.set_state("raised");
  return told.SerializeAsString();
}

std::vector<std::string> decisions() {
  std::vector<std::string> all;
  const auto add = [&all](const char* table, const TableCommand& command) {
    all.push_back(encode(TableMessage{TableId(table), MessageNumber(1), Digest{},
                                      Timestamp::from_microseconds(1), command}));
  };
  const AskedWager wager{Seat(2), WagerId("g/w"), Amount::dollars(5)};
  add("G-01", lock_of("r9", {wager}));
  add("G-01", royal_flush_of("r3", 4));
  add("G-01", VoidRound{RoundId("r3"), "misdeal", Badge("F-1")});
  add("P-01", PlayPot{RoundId("h9"),
                      Amount::dollars(30),
                      cards_of({"2c", "2d", "2h", "Kc", "Kd"}),
                      true,
                      {{Seat(1), cards_of({"2s", "Ks"}), false, Amount::dollars(29)},
                       {Seat(2), cards_of({"Kh", "3s"}), false, Amount()}},
                      Badge("D-1")});
  RandomValues random(5);
  for (int kind = 0; kind < 9; ++kind) {
    all.push_back(encode(ControlRequest{Badge("TGM-1"), "", "", Propose{random.dual_act()}}));
  }
  all.push_back(
      encode(ControlRequest{Badge("FM-1"), "", "", Confirm{ProposalNumber(1), "resume"}}));
  add("G-01", VoidRound{RoundId("r3"), "fouled", Badge("F-1"), Seat(4)});
  for (const ControlRequest& correction : corrections()) all.push_back(encode(correction));
  all.push_back(encode(
      ControlRequest{Badge("E-1"), "", "", FreezeTable{TableId("G-01"), "no seal on the box"}}));
  return all;
}

}  // namespace

std::vector<Seed> seeds_of_files() {
  std::vector<Seed> all;
  const std::string ed25519 = "0.\x02\x01" + std::string(1, '\0') + "0\x05\x06\x03+ep\x04\x22\x04 ";
  add_numbered(all, "seal-key",
               {'\1' + ed25519 + std::string(32, 's'), std::string(1, '\0') + "x"});
  add_numbered(
      all, "certificate",
      {"\4\x80\1", "\5\x80\1", "\2" + std::string("0\x82"), std::string(1, '\0') + "-----"});
  const std::filesystem::path record = scratch_folder() / "seed.json";
  write_sign_record(record, {"S", "MAIN", "unix:s", "plain", Timestamp::from_microseconds(1),
                             "MAIN $1.00", "", Timestamp::from_microseconds(2), true});
  add_numbered(all, "sign-record", {read_file(record).value()});
  add_numbered(all, "sign-feed", {update()});
  add_numbered(all, "file-manifest", {bundle_pieces().back().bytes});
  add_numbered(all, "hand",
               {std::string(1, '\0') + R"({"cards":["As","Ks","Qs","Js","Ts"]})",
                "\5"
                R"({"cards":["Ks","Qd"],"dealer":["As","9s","Ac"]})",
                "\12"
                R"({"cards":["Ah","Ad"],"board":["Ac","Kh","Kd","2c","3c"]})"});
  add_numbered(all, "command-line", command_lines());
  add_numbered(all, "outbox", outboxes());
  add_numbered(all, "place", places());
  add_numbered(all, "decision", decisions());
  const Head head{EntryNumber(3), {}};
  std::vector<std::string> heard = {
      encode(ToTable{Welcome{TableId("G-01"), MessageNumber(1), head, Refusal::none}}),
      encode(ToTable{Acknowledgements{{{MessageNumber(1), EntryNumber(2)}}, head}}),
      encode(ToTable{HeartbeatAnswer{TableId("G-01"), {{LinkId("MAIN"), "w"}}, true, {}}})};
  for (const ToTable& told : told_of_open_rounds()) heard.push_back(encode(told));
  add_numbered(all, "table-agent", heard);
  return all;
}

}  // namespace linkmeter::fuzz
