// Near-simultaneous wins on a link (L7): two linked tables hit the mega about a millisecond apart,
// a thousand times, through a real controller. The first gets the meter, the second the reseed; the
// orders of the journal and of the claims agree.

#include <doctest/doctest.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "tests/support/raw_table.h"
#include "tests/support/real_floor.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::simultaneous_test {
namespace {

using Json = nlohmann::json;

constexpr std::size_t pairs = 1'000;
constexpr std::chrono::milliseconds apart{1};
const std::filesystem::path programs = std::filesystem::path(LINKMETER_BINARY_DIR) / "bin";
const std::filesystem::path demo_floor =
    std::filesystem::path(LINKMETER_SOURCE_DIR) / "config" / "demo" / "floor.toml";

Timestamp now() {
  return Timestamp::from_microseconds(std::chrono::duration_cast<std::chrono::microseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

// One table of the link; one seat has a royal flush in every round.
class Winner {
 public:
  Winner(zmq::context_t& context, const std::string& endpoint, const Credentials& own)
      : table_(own.name), raw_(context, endpoint, own) {
    for (const char* card : {"As", "Ks", "Qs", "Js", "Ts"}) royal_.push_back(*parse_card(card));
  }

  void lock() {
    round_ = RoundId("r" + std::to_string(number_));
    LockRound lock;
    lock.round = round_;
    lock.wagers = {{Seat(1), WagerId("crazy-4/five-card"), Amount::dollars(5)}};
    lock.chips = 1;
    say(lock);
  }
  void show() {
    ShowHands show;
    show.round = round_;
    show.hands = {{Seat(1), royal_, false, Amount()}};
    say(show);
  }
  void close() { say(CloseRound{round_, Badge()}); }
  // The entry of the latest message, once it is acknowledged.
  std::uint64_t entry() {
    while (true) {
      const ToTable reply = raw_.receive();
      const auto* answers = std::get_if<Acknowledgements>(&reply);
      REQUIRE(answers != nullptr);
      for (const Acknowledgement& one : answers->list) {
        REQUIRE(one.refusal == Refusal::none);
        if (one.number.value() == number_) return one.entry.value();
      }
    }
  }

 private:
  void say(TableCommand command) {
    raw_.send(encode(TableMessage{TableId(table_), MessageNumber(++number_), Digest{}, now(),
                                  std::move(command)}));
  }

  std::string table_;
  RawTable raw_;
  std::vector<Card> royal_;
  RoundId round_;
  std::uint64_t number_ = 0;
};

struct Win {
  std::string table;
  std::uint64_t entry = 0;
  std::int64_t meter_before = 0, award = 0;  // 10^-8 dollar
};

std::string exact(std::int64_t units) {
  const std::string fraction = std::to_string(units % 100'000'000);
  return std::to_string(units / 100'000'000) + "." + std::string(8 - fraction.size(), '0') +
         fraction;
}

// Plays the pairs. Returns the wins in the order of their entries with what each must get: two
// wagers of $5 add 90 cents; a win takes whole cents and leaves $50,000 and the fraction.
std::vector<Win> play(const std::string& endpoint, const std::filesystem::path& data,
                      std::size_t& as_sent) {
  zmq::context_t context;
  const auto own = [&data](const std::string& table) {
    return read_credentials(data / "credentials" / credentials_file_name(table));
  };
  Winner one(context, endpoint, own("C4-01")), two(context, endpoint, own("C4-02"));
  std::vector<Win> wins;
  std::int64_t meter = 5'000'000'000'000;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    Winner& first = pair % 2 == 0 ? one : two;
    Winner& second = pair % 2 == 0 ? two : one;
    for (Winner* winner : {&one, &two}) winner->lock();
    for (Winner* winner : {&one, &two}) winner->entry();
    meter += 90'000'000;
    first.show();
    std::this_thread::sleep_for(apart);  // the interval under test, not a wait for something
    second.show();
    Win left{pair % 2 == 0 ? "C4-01" : "C4-02", first.entry()};
    Win right{pair % 2 == 0 ? "C4-02" : "C4-01", second.entry()};
    as_sent += left.entry < right.entry ? 1 : 0;
    if (right.entry < left.entry) std::swap(left, right);
    for (Win& win : {std::ref(left), std::ref(right)}) {
      win.meter_before = meter;
      win.award = meter - meter % 1'000'000;
      meter = 5'000'000'000'000 + meter % 1'000'000;
      wins.push_back(win);
    }
    for (Winner* winner : {&one, &two}) winner->close();
    for (Winner* winner : {&one, &two}) winner->entry();
  }
  return wins;
}

TEST_CASE("of two wins a millisecond apart, the first gets the meter and the second the reseed") {
  const ScopedDirectory folder;
  const std::filesystem::path data = folder.path() / "data";
  REQUIRE(run_program(programs / "linkmeter",
                      {"init", "--floor", demo_floor.string(), "--data", data.string()})
              .code == 0);
  std::size_t as_sent = 0;
  std::vector<Win> wins;
  {
    RunningController controller({programs / "linkmeter-controller",
                                  demo_floor,
                                  data,
                                  folder.path() / "controller.log",
                                  {}});
    wins = play(controller.endpoint(), data, as_sent);
    controller.kill();
  }
  MESSAGE(as_sent << " of " << pairs << " pairs are journaled as they were sent");
  CHECK(as_sent > pairs / 2);

  const auto told =
      run_program(programs / "linkmeter", {"claims", "--data", data.string(), "--json"});
  REQUIRE(told.code == 0);
  const Json claims = Json::parse(told.output);
  REQUIRE(claims.size() == wins.size());
  for (std::size_t at = 0; at < wins.size(); ++at) {
    CAPTURE(at);
    const Json& claim = claims[at];
    REQUIRE(claim["claim"] == at + 1);
    REQUIRE(claim["level"] == "mega");
    REQUIRE(claim["call"] == at + 1);
    REQUIRE(claim["table"] == wins[at].table);
    REQUIRE(claim["entry"] == wins[at].entry);
    REQUIRE(claim["stood"] == exact(wins[at].meter_before));
    REQUIRE(claim["amount"].get<std::string>() + "000000" == exact(wins[at].award));
    REQUIRE(claim["sent_at"].is_string());
    REQUIRE(claim["raised_at"].is_string());
    // The other win of the pair is next to it, and names the one that came first.
    const bool is_first = at % 2 == 0;
    const std::size_t partner = is_first ? at + 2 : at;
    bool found = false;
    for (const Json& near : claim["near"]) {
      if (near["claim"] != partner) continue;
      found = true;
      REQUIRE(near["order"] == (is_first ? "later" : "earlier"));
      const std::uint64_t earlier = wins[is_first ? at : at - 1].entry;
      const std::uint64_t later = wins[is_first ? at + 1 : at].entry;
      REQUIRE(near["why"] == "the journal's order decides: entry " + std::to_string(earlier) +
                                 " before entry " + std::to_string(later));
    }
    REQUIRE(found);
  }
  CHECK(run_program(programs / "linkmeter", {"audit", "--data", data.string()}).code == 0);
}

}  // namespace
}  // namespace linkmeter::simultaneous_test
