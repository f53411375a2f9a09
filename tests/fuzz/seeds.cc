// Seeds: the output of the real writers for the fixture's house, and for values of every kind.
#include <map>

#include "controller/accounting/evidence/bundle.h"
#include "controller/accounting/export/export_file.h"
#include "controller/accounting/export/export_text.h"
#include "controller/store/journal_reader.h"
#include "meters/values/hex.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/round_script.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/sha256.h"
#include "table-agent/device/device_codec.h"
#include "tests/fuzz/fixture.h"
#include "tests/fuzz/open_round.h"
#include "tests/fuzz/target.h"
#include "tests/support/keys.h"
#include "tests/support/random_values.h"
#include "tests/support/small_chapter.h"

namespace linkmeter::fuzz {
namespace {

class Seeds {
 public:
  void add(const std::string& target, std::string bytes) {
    const std::size_t number = ++numbers_[target];
    all_.push_back({target, (number < 10 ? "0" : "") + std::to_string(number), std::move(bytes)});
  }
  std::vector<Seed> all() && { return std::move(all_); }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::vector<Seed> all_;
};

// What an agent reports about itself, and what it is told about rounds that it has not seen.
void add_agents(Seeds& to) {
  const Head head{EntryNumber(3), {}};
  Hello hello{TableId("G-01"), head, 7, "terms", {}};
  hello.agent = "v1f00ba5e";
  hello.is_new = true;
  to.add("from-table", encode(hello));
  Heartbeat leaving{TableId("G-01"), 0, false, {{Badge("D-1"), {"dealer"}, 0x1f00ba5e}}};
  leaving.leaves = true;
  to.add("from-table", encode(leaving));
  TableMessage void_hand;
  void_hand.table = TableId("G-01");
  void_hand.number = MessageNumber(4);
  void_hand.command = VoidRound{RoundId("r3"), "fouled", Badge("F-1"), Seat(4)};
  to.add("from-table", encode(void_hand));
  for (const ToTable& told : told_of_open_rounds()) to.add("to-table", encode(told));
}

void add_wire(Seeds& to) {
  RandomValues random(1);
  for (std::size_t kind = 0; kind < std::variant_size_v<TableCommand>; ++kind) {
    to.add("from-table", encode(random.message(kind)));
  }
  const Head head = random.head();
  to.add("from-table", encode(Hello{TableId("G-01"), head, 7, "terms", {head}}));
  Heartbeat beat{TableId("G-01"), 3, true, {{Badge("D-1"), {"dealer"}}}};
  beat.counts = ReportedCounts{
      MessageNumber(1), MessageNumber(5), {{LinkId("MAIN"), 2, 3, Amount::dollars(15)}}};
  to.add("from-table", encode(beat));
  to.add("from-table", encode(TableSignIn{1, Badge("D-1"), "4711", true}));
  Welcome welcome{TableId("G-01"), MessageNumber(5), head, Refusal::none};
  welcome.suspended = {{LinkId("MAIN"), "a new reading"}};
  welcome.history = {head};
  welcome.again_after = head;
  welcome.stopped = {LinkId("POKER")};
  welcome.writer = "tcp://10.0.0.5:6057";
  welcome.nodes = {{"a", key_of("a"), welcome.writer}, {"b", key_of("b"), ""}};
  to.add("to-table", encode(ToTable{welcome}));
  const AwardNotice award{Seat(2), LineId("royal_flush"), Amount::dollars(100), ClaimNumber(1)};
  Acknowledgement acknowledged{MessageNumber(2), EntryNumber(3), Refusal::none, 99};
  acknowledged.awards = {award};
  Acknowledgement blocked{MessageNumber(3), EntryNumber(4)};
  blocked.chips_expected = 2;
  to.add("to-table", encode(ToTable{Acknowledgements{{acknowledged, blocked}, head}}));
  HeartbeatAnswer answer{TableId("G-01"), {{LinkId("MAIN"), "why"}}, true, {Badge("D-1")}};
  answer.claims = {{ClaimNumber(1), RoundId("r1"), Seat(2), LinkId("MAIN"), LineId("royal_flush"),
                    LevelId("main"), Amount::dollars(100), "raised", "validation"}};
  answer.hands = std::vector<RoundHands>{
      {RoundId("r1"), {{Seat(2), EntryNumber(3), parse_cards("As Ks").value(), false, {award}}}}};
  to.add("to-table", encode(ToTable{answer}));
  to.add("to-table", encode(ToTable{TableSignedIn{
                         1, Refusal::none, Badge("D-1"), "Person", {"dealer"}, {"play"}, 5}}));
  add_agents(to);
}

void add_control(Seeds& to) {
  RandomValues random(2);
  for (int kind = 0; kind < 12; ++kind) {
    to.add("control",
           encode(ControlRequest{Badge("TGM-1"), "4711", "", Propose{random.dual_act()}}));
  }
  to.add("control",
         encode(ControlRequest{Badge("F-1"), "4711", "", ValidateClaim{ClaimNumber(1)}}));
  to.add("control", encode(ControlReply{Refusal::none, EntryNumber(7), ProposalNumber(1), "resume",
                                        "done", SlipNumber(1)}));
  to.add("control", encode_status_request());
  to.add("control", encode(ControllerStatus{Timestamp::from_microseconds(5),
                                            {{TableId("G-01"), TableLinkState::linked,
                                              Timestamp::from_microseconds(6), std::nullopt}}}));
  for (const ControlRequest& correction : corrections()) to.add("control", encode(correction));
  to.add("control", encode(ControlRequest{Badge("E-1"), "4711", "",
                                          FreezeTable{TableId("G-01"), "two agents"}}));
  to.add("control", encode(ControlRequest{Badge("PSS-1"), "4711", "",
                                          ValidateClaim{ClaimNumber(1), Badge("C-1")}}));
}

void add_journal(Seeds& to) {
  const Played& played = Played::once();
  for (std::size_t at = 1; at < played.entries.size(); ++at) to.add("journal", played.entries[at]);
  RandomValues random(3);
  for (std::size_t kind = 0; kind < std::variant_size_v<Fact>; ++kind) {
    std::string bytes = encode(random.entry(kind));
    if (bytes.size() < 3'000) to.add("journal", std::move(bytes));
  }
  for (const Row& row : played.rows) {
    if (row.value->size() > 3'000) continue;
    to.add("state-row", row.key + '\0' + row.value->substr(row_checksum_size));
  }
}

void add_device(Seeds& to) {
  std::string stream;
  std::uint64_t number = 0;
  for (const char* text :
       {"hello 1 6 counted S-1", "alive S-1", "again", "state 1 open r1", "held 2 g/w 500 own",
        "placed 2 g/w 500 own", "removed 2 g/w dealer", "bets open", "bets closed", "count 2",
        "fault coin 3 no answer", "sound coin 3", R"(event {"event":"close","round":"r1"})"}) {
    const std::string line = write_device_line({++number, text});
    to.add("device", line);
    stream += line;
  }
  to.add("device", stream);
}

void add_json(Seeds& to) {
  RandomValues random(4);
  ShowHands show;
  show.round = RoundId("r1");
  show.hands = {{Seat(2), parse_cards("As Ks Qs Js Ts").value(), false, Amount()}};
  show.draw = Draw{Card::from_index(7), Seat(0)};
  show.names_dealer = true;
  show.by = Badge("D-1");
  const AskedWager wager{Seat(2), WagerId("g/w"), Amount::dollars(5), true};
  const std::vector<TableCommand> commands{
      LockRound{RoundId("r1"), {wager}, 2, Badge("D-1")},
      ResolveCount{RoundId("r1"), {wager}, Badge("F-1")},
      show,
      CloseRound{RoundId("r1"), Badge()},
      VoidRound{RoundId("r1"), "misdeal", Badge("F-1")},
      PlayPot{RoundId("h1"), Amount::cents(3'025), parse_cards("2c 3c 4c 5c 6c").value(), true,
              show.hands, Badge()}};
  for (const TableCommand& command : commands) to.add("script", event_text(command));
  to.add("script", R"({"event":"wait","ms":100,"note":"a pause"})");
  for (const char* touch :
       {R"({"do":"open_bets","id":"t1"})",
        R"({"do":"place","id":"t2","round":"r1","seat":2,"wager":"g/w","amount":"5.00"})",
        R"({"do":"remove","id":"t3","round":"r1","seat":2,"wager":"g/w","on":"dealer"})",
        R"({"do":"close_bets","id":"t4","round":"r1"})", R"({"do":"count","id":"t5","chips":2})",
        R"({"do":"show","id":"t6","round":"r1","hands":[{"seat":2,"cards":["As","Ks"]}],)"
        R"("dealer":["2c"],"passed":[3]})",
        R"({"do":"close","id":"t7","round":"r1"})",
        R"({"do":"void","id":"t8","round":"r1","reason":"misdeal"})",
        R"({"do":"call_floor","id":"t9","calls":true})", R"({"do":"go_on","id":"t10"})",
        R"({"do":"void","id":"t11","round":"r1","seat":2,"reason":"fouled"})"}) {
    to.add("dealer-action", std::string(R"({"touch":)") + touch + "}");
  }
  for (const char* asked :
       {"claims/1/validate\n{}", "claims/1/countersign\n{}",
        "claims/1/reject\n{\"reason\":\"cards_missing\",\"note\":\"none\"}",
        "claims/1/slip\n{\"source\":\"hand_pay\"}", "claims/1/pay\n{\"slip\":1}",
        "slips/1/void\n{\"reason\":\"wrong_source\",\"note\":\"n\"}",
        "links/MAIN/suspend\n{\"note\":\"why\"}", "links/POKER/notice\n{\"posted\":true}",
        "links/MAIN/display\n{\"kept\":\"311.00\",\"shown\":null,\"witness\":\"F-1\"}",
        "proposals/1/confirm\n{\"summary\":\"resume\"}",
        "days/2026-11-21/sign\n{\"report\":\"00\"}",
        "tables/G-01/freeze\n{\"note\":\"two agents\"}",
        R"(tables/G-01/rounds/r3/correct)"
        "\n"
        R"({"seat":4,"cards":"As Ks","folded":false,"reason":"misread_card","note":"n"})",
        R"(tables/G-01/rounds/r3/correct_dealer)"
        "\n"
        R"({"cards":["As"],"board":"2c","magic":"7h","lucky":0,"reason":"missed_card"})",
        R"(tables/P-01/pots/h1/correct)"
        "\n"
        R"({"hands":[{"seat":1,"cards":"As Ks"},{"seat":2,"not_dealt_in":true}],)"
        R"("board":"2c 3c","showdown":true,"reason":"wrong_seat"})"}) {
    to.add("web-command", std::string("/api/") + asked);
  }
}

std::string exported(const std::string& format) {
  const Played& played = Played::once();
  ExportRequest asked;
  asked.format = format;
  ExportText text(asked, played.state, "2026-11-21");
  ExportTotals totals;
  std::string all = text.head();
  // The opening contains the texts of the floor: too long for a seed.
  read_between(
      played.journal, EntryNumber(2), played.state.last_entry(),
      [&](const Entry& entry, const Digest& hash) { all += text.of(entry, hash, totals); });
  return all + text.end(totals);
}

void add_accounting(Seeds& to) {
  for (const char* format : {"entries", "postings", "ledger"}) to.add("import", exported(format));
  to.add("csv", exported("postings"));
  to.add("csv", "a,\"b \"\"c\"\"\",\r\n\"line\r\nend\",'=1\r\n");
  to.add("totals", R"({"format":"linkmeter-postings","version":1,"link":"MAIN","day":"2026-11-21",)"
                   R"("from":1,"to":9,"rows":4,"first_entry":2,"last_entry":9,)"
                   R"("sum_by_account":{"meter":"1.23000000","handle":"-5.00000000"},"bytes":400,)"
                   R"("sha256":"5f1c"})");
  for (std::size_t at = 0; at < bundle_pieces().size(); ++at) {
    const std::string& bytes = bundle_pieces()[at].bytes;
    if (bundle_pieces()[at].file == bundle_names::journal) to.add("segment", bytes);
    // The opening's segment contains the chapters.
    if (bytes.size() < 20'000) to.add("bundle", static_cast<char>(at) + bytes);
  }
}

void add_files(Seeds& to) {
  to.add("floor-file", small_floor_text());
  to.add("chapter", small_chapter);
  const std::string body = "linkmeter manifest 1\nsealed 2026-11-21T09:30:00.000000Z\nby init\n" +
                           hex(sha256("a")) + " program linkmeter-controller\n" + hex(sha256("b")) +
                           " chapter crazy 4.toml\n" + hex(sha256("c")) + " floor floor.toml\n";
  to.add("manifest", body);
  const std::string hash = hex(sha256("head")), moment = "2026-11-21T09:00:05.000000Z";
  to.add("witness", R"({"table":"G-01","entry":8,"hash":")" + hash + "\"}\n");
  to.add("restore-marker", R"({"mark": "linkmeter-restored 1", "head": {"entry": 8, "hash": ")" +
                               hash + R"("}, "restored_at": ")" + moment +
                               R"(", "backup_made_at": ")" + moment + "\"}\n");
  const std::string key(40, 'k');
  to.add("credentials", "linkmeter credentials 1\nkind table\nname G-01\npublic " + key +
                            "\nsecret " + key + "\ncontroller " + key + "\n");
  for (const char* text :
       {"12.50", "1000000000.00", "As Kd,Tc\tXx", "2026-02-29", "2026-11-21",
        "2026-11-21T09:00:05.000123Z", "G-01", "a \xc3\xbc \xe2\x82\xac \xf0\x9f\x82\xa1"}) {
    to.add("texts", text);
  }
  to.add("texts", hash);
  for (const char* text :
       {"/sign/C4%2DMEGA?turn=12&a=b+c", "/api/days?from=2026-11-21&&x",
        "a=b; linkmeter=0f; c=", "http://127.0.0.1:6059", "https://[::1]:0/", "https://*:6059",
        "none", "tcp://127.0.0.1:6057", "ipc:///run/linkmeter/control"}) {
    to.add("web", text);
  }
}

}  // namespace

std::vector<Seed> seeds() {
  Seeds made;
  add_wire(made);
  add_control(made);
  add_journal(made);
  add_device(made);
  add_json(made);
  add_accounting(made);
  add_files(made);
  std::vector<Seed> all = std::move(made).all();
  for (Seed& one : seeds_of_files()) all.push_back(std::move(one));
  return all;
}

}  // namespace linkmeter::fuzz
