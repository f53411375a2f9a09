// M11: the result of several rejections does not depend on their order. When the last claims of a
// meter, or all of them, are rejected, the meter stands as if their lines had never been hit.
// Random rounds, contributions and voids, on floors with and without limits, reserves, several
// levels and shared hits, after older overflow, corrections and other limits; every order of the
// rejections. The test expects nothing of single steps: the naive model covers those.

#include <doctest/doctest.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "meters/rules/decide.h"
#include "meters/rules/laws.h"
#include "meters/rules/settlement.h"
#include "tests/property/dice.h"
#include "tests/property/floors.h"
#include "tests/property/trial.h"
#include "tests/support/description.h"

namespace linkmeter::rejection_order_test {
namespace {

constexpr std::size_t scenarios = 30;
constexpr int seats = 6;

std::vector<Card> cards(const std::vector<std::string>& texts) {
  std::vector<Card> list;
  for (const std::string& one : texts) list.push_back(parse_card(one).value());
  return list;
}

// A floor of one table and one link, and the hands that win from its meters.
struct Game {
  std::string wager;
  std::string keys;    // of the link
  std::string limits;  // one of these keys, and
  std::string raised;  // its changed value; "": no limit
  std::string game;
  std::vector<std::vector<Card>> hands;  // of players, without common cards
  std::vector<Card> dealer;              // if the dealer's hand wins
};

FloorFile floor_of(const Game& game, const std::string& limits) {
  return floor_from("rejections",
                    "[house]\nname = \"R\"\ntimezone = \"America/New_York\"\n"
                    "gaming_day_start = \"06:00\"\n[[link]]\nid = \"L\"\nwager = \"" +
                        game.wager + "\"\n" + game.keys + limits +
                        "tables = [\"A\"]\n[[table]]\nid = \"A\"\ngame = \"" + game.game +
                        "\"\nseats = 6\nasset = \"1\"\n");
}

std::vector<Game> games() {
  const std::vector<Card> royal = cards({"As", "Ks", "Qs", "Js", "Ts"});
  const std::vector<Card> second = cards({"Ah", "Kh", "Qh", "Jh", "Th"});
  const std::vector<Card> flush = cards({"9d", "8d", "7d", "6d", "5d"});
  const std::vector<Card> fours = cards({"4c", "4d", "4h", "4s", "2c"});
  const std::vector<Card> aces = cards({"As", "Ac", "Ad", "Ah", "Ks"});
  const std::vector<Card> eight = cards({"2c", "2d", "2h", "2s", "3c", "3d", "Ah", "9s"});
  const std::string five = "crazy-4/five-card";
  const std::string a = "paytable = \"A\"\nunit = \"1.00\"\n";
  const std::string run = "unit = \"1.00\"\nrates = { main = \"12.3456%\", reserve = \"3.21%\" }\n";
  return {
      {five, a, "", "", "crazy-4", {royal, second, flush}, {}},
      {five,
       a,
       "limit = \"10000.90\"\n",
       "limit = \"10002.10\"\n",
       "crazy-4",
       {royal, second, flush},
       {}},
      {five,
       a,
       "limit = \"10003.00\"\n",
       "limit = \"20000.00\"\n",
       "crazy-4",
       {royal, second, flush},
       {}},
      {five,
       "paytable = \"C\"\nunit = \"1.00\"\n",
       "limit = { mega = \"10000.30\", major = \"1000.50\", minor = \"250.10\" }\n",
       "limit = { mega = \"10001.00\", major = \"1100.00\", minor = \"250.20\" }\n",
       "crazy-4",
       {royal, second, flush, fours},
       {}},
      {"crazy-4/four-card",
       "paytable = \"B\"\nunit = \"1.00\"\n",
       "limit = \"1000.40\"\n",
       "limit = \"2000.00\"\n",
       "crazy-4",
       {aces},
       {}},
      {"blackjack/hit-and-run", run + "seed = \"1000.00\"\n", "", "", "blackjack", {}, eight},
      {"blackjack/hit-and-run",
       run + "seed = \"1000.00\"\n",
       "limit = \"1000.70\"\n",
       "limit = \"1001.90\"\n",
       "blackjack",
       {},
       eight},
      {"blackjack/hit-and-run",
       run + "seed = \"1000.00\"\nreseed = \"1500.00\"\n",
       "limit = \"1500.60\"\n",
       "limit = \"1800.00\"\n",
       "blackjack",
       {},
       eight},
  };
}

class House {
 public:
  // `file` must outlive the house.
  explicit House(const FloorFile& file) : file_(&file) {
    state.apply(open_floor(opened(file), trial_moment()));
  }
  [[nodiscard]] const FloorRules& rules() const { return file_->rules; }

  void say(const TableCommand& command) {
    TableMessage message;
    message.table = state.floor().table(TableIndex(0)).id;
    message.number = state.session(TableIndex(0)).last_number().next();
    message.command = command;
    take(decide(state, rules(), message, trial_moment()));
  }
  void ask(const std::string& badge, const OperatorCommand& act) {
    take(decide(state, rules(), PersonMessage{Badge(badge), act}, trial_moment()));
  }
  void ask_both(const DualControlCommand& act) {
    ask("TGM-1", Propose{act});
    const ProposalNumber number = state.last_proposal();
    ask("FM-1", Confirm{number, summary(state.find_proposal(number)->act)});
  }
  // L8. `other` must outlive the house.
  void change_parameters(const FloorFile& other) {
    ask("TGM-1", SuspendLink{LinkId("L"), "other parameters"});
    ChangeParameters change{other.text, other.catalogue_texts};
    change.floor = other.floor;
    const auto ask_about = [this, &other](const std::string& badge, const OperatorCommand& act) {
      PersonMessage message{Badge(badge), act};
      message.proposed = &other.rules;
      take(decide(state, rules(), message, trial_moment()));
    };
    ask_about("TGM-1", Propose{change});
    const ProposalNumber number = state.last_proposal();
    ask_about("FM-1", Confirm{number, summary(state.find_proposal(number)->act)});
    file_ = &other;
    ask_both(ResumeLink{LinkId("L")});
  }
  void correct(Amount amount) {
    ask_both(CorrectMeter{LinkId("L"), state.floor().link(LinkIndex(0)).levels[0].id, amount,
                          CorrectionReason::regulator_order, ""});
  }
  void reject(std::size_t claim) {
    ask("F-1", RejectClaim{ClaimNumber(claim), RejectReason::hand_misread, ""});
  }
  // Locks a round with a wager at each of the first `count` seats.
  void lock(const std::string& round, int count) {
    LockRound lock{RoundId(round), {}, std::nullopt, Badge()};
    for (int seat = 1; seat <= count; ++seat) {
      lock.wagers.push_back({Seat(static_cast<std::uint8_t>(seat)),
                             state.floor().link(LinkIndex(0)).wager, Amount::dollars(1)});
    }
    say(lock);
  }

  State state;

 private:
  void take(const Decision& decision) {
    REQUIRE(std::holds_alternative<Entry>(decision));
    const Entry& entry = std::get<Entry>(decision);
    INFO(description(entry, state.floor()));
    REQUIRE_EQ(law_violation(entry).value_or(""), "");
    REQUIRE_EQ(validate_entry(state, entry).value_or(""), "");
    REQUIRE_FALSE(std::holds_alternative<MessageRefused>(entry.fact));
    REQUIRE_FALSE(std::holds_alternative<CommandRejected>(entry.fact));
    state.apply(entry);
    state.forget_changes();
    REQUIRE_EQ(law_violation(state).value_or(""), "");
  }

  const FloorFile* file_;
};

// One round of the first part: who wagers, and which hands win.
struct Round {
  int count = 0;
  std::vector<std::size_t> winners;  // indexes of the game's hands; for a dealer's hand one index
  bool is_void = false;              // instead
};

// What happens between two rejections.
struct Between {
  int count = 0;       // wagers
  bool voids = false;  // a round that was locked before
  Amount corrected;
};

// What happens before the first line is hit: no rejection may bring any of it back.
struct Older {
  int rounds = 0;  // with a wager at each seat
  Amount corrected;
  bool raises_limit = false;
};

struct Scenario {
  Older older;
  std::vector<Round> rounds;
  std::vector<Between> between;
};

Scenario scenario_of(const Game& game, Dice& dice) {
  Scenario scenario;
  scenario.older.rounds = dice.between(0, 4);
  if (dice.percent(50)) scenario.older.corrected = Amount::cents(dice.between(-90, 50));
  scenario.older.raises_limit = !game.raised.empty() && dice.percent(50);
  const std::size_t kinds = std::max<std::size_t>(game.hands.size(), 1);
  std::size_t claims = 0;
  while (claims < 4) {
    Round round;
    round.count = dice.between(1, seats);
    round.is_void = dice.one_in(4);
    for (std::size_t hand = 0; !round.is_void && hand < kinds; ++hand) {
      const bool has_seat = round.winners.size() < static_cast<std::size_t>(round.count);
      if (has_seat && dice.percent(60)) round.winners.push_back(hand);
    }
    if (!game.dealer.empty()) round.count = dice.between(1, 2);
    claims += game.dealer.empty() ? round.winners.size()
                                  : round.winners.size() * static_cast<std::size_t>(round.count);
    scenario.rounds.push_back(round);
  }
  for (std::size_t step = 0; step < 5; ++step) {
    Between between{dice.between(0, seats), dice.one_in(3), {}};
    // A correction that lowers a meter at its limit makes room for later amounts: then the order of
    // the correction and the other steps matters, which has nothing to do with rejections.
    const bool has_limit = !game.raised.empty();
    if (dice.one_in(4)) between.corrected = Amount::cents(dice.between(has_limit ? 0 : -40, 200));
    scenario.between.push_back(between);
  }
  return scenario;
}

// Ends a round. Wagers on the dealer's hand need one: two cards win nothing.
void close(House& house, const Game& game, const std::string& id, bool shown) {
  if (!game.dealer.empty() && !shown) {
    ShowHands losing;
    losing.round = RoundId(id);
    losing.dealer = cards({"Tc", "9d"});
    losing.names_dealer = true;
    house.say(losing);
  }
  house.say(CloseRound{RoundId(id), Badge()});
}

// `raised`: the floor with another limit.
void play_older(House& house, const Game& game, const Older& older, const FloorFile& raised) {
  for (int at = 0; at < older.rounds; ++at) {
    const std::string id = "o" + std::to_string(at);
    house.lock(id, seats);
    close(house, game, id, false);
  }
  if (older.corrected != Amount()) house.correct(older.corrected);
  if (older.raises_limit) house.change_parameters(raised);
}

// The first part: every round is locked; the hands of the first `winning` rounds are shown.
void play_rounds(House& house, const Game& game, const Scenario& scenario, const FloorFile& raised,
                 std::size_t winning) {
  play_older(house, game, scenario.older, raised);
  for (std::size_t at = 0; at < scenario.rounds.size(); ++at) {
    const Round& round = scenario.rounds[at];
    const std::string id = "r" + std::to_string(at);
    house.lock(id, round.count);
    if (round.is_void) {
      house.say(VoidRound{RoundId(id), "misdeal", Badge()});
      continue;
    }
    const bool shown = at < winning && !round.winners.empty();
    if (shown) {
      ShowHands show;
      show.round = RoundId(id);
      show.dealer = game.dealer;
      show.names_dealer = !game.dealer.empty();
      std::uint8_t seat = 0;
      for (const std::size_t hand : round.winners) {
        if (game.hands.empty()) break;
        show.hands.push_back({Seat(++seat), game.hands[hand], false, Amount()});
      }
      house.say(show);
    }
    close(house, game, id, shown);
  }
  for (std::size_t at = 0; at < scenario.between.size(); ++at) {
    if (scenario.between[at].voids) house.lock("v" + std::to_string(at), seats - 1);
  }
}

void play_between(House& house, const Game& game, const Scenario& scenario, std::size_t at,
                  bool corrects) {
  const Between& between = scenario.between[at];
  if (between.count > 0) {
    const std::string id = "b" + std::to_string(at);
    house.lock(id, between.count);
    close(house, game, id, false);
  }
  if (between.voids) house.say(VoidRound{RoundId("v" + std::to_string(at)), "misdeal", Badge()});
  if (corrects && between.corrected != Amount()) house.correct(between.corrected);
}

std::vector<std::size_t> meter_claims(const State& state) {
  std::vector<std::size_t> found;
  for (const Claim& claim : state.claims()) {
    if (claim.level) found.push_back(static_cast<std::size_t>(claim.number.value()));
  }
  return found;
}

std::string text_of(const std::vector<std::size_t>& order) {
  std::string all;
  for (const std::size_t one : order) all += " " + std::to_string(one);
  return all;
}

// Everything that M11 is about: the link's balances, without the tables' counts.
const LinkPools& pools(const State& state) { return state.link(LinkIndex(0)); }

Amount net(const PoolBalances& pool) { return pool.held - pool.withheld; }

struct Floors {
  const FloorFile& first;
  const FloorFile& raised;  // the same, if the game has no limit
};

void check_scenario(const Game& game, const Floors& floors, const Scenario& scenario,
                    std::size_t spared, bool corrects, std::size_t& compared) {
  House won(floors.first);
  play_rounds(won, game, scenario, floors.raised, scenario.rounds.size());
  std::vector<std::size_t> order = meter_claims(won.state);
  REQUIRE_GE(order.size(), 1);
  // At most four are rejected, so there are at most twenty-four orders.
  if (spared < order.size()) order.erase(order.begin() + static_cast<std::ptrdiff_t>(spared));
  if (order.size() > 4) order.resize(4);
  if (order.empty()) return;

  std::optional<State> first;
  do {
    CAPTURE(text_of(order));
    House house = won;
    for (std::size_t at = 0; at < order.size(); ++at) {
      play_between(house, game, scenario, at, corrects);
      house.reject(order[at]);
    }
    if (!first) first = house.state;
    ++compared;
    INFO(description(*first), "and\n", description(house.state));
    CHECK(pools(*first) == pools(house.state));
  } while (std::next_permutation(order.begin(), order.end()));

  // Also in one entry, with nothing in between.
  House one_by_one = won;
  std::vector<ClaimNumber> numbers;
  for (const std::size_t claim : order) {
    one_by_one.reject(claim);
    numbers.emplace_back(claim);
  }
  Settlement together(won.state, won.rules());
  static_cast<void>(together.reject(numbers));
  LinkPools after = pools(won.state);
  for (const Posting& posting : together.postings()) after.post(posting);
  for (std::size_t level = 0; level < after.levels.size(); ++level) {
    CHECK(after.levels[level].pool == pools(one_by_one.state).levels[level].pool);
  }
  CHECK(after.reserve == pools(one_by_one.state).reserve);
}

// Rejects all claims of the rounds from `winning` on, the first one first: the result must be as if
// their lines had never been hit.
void check_last_rounds(const Game& game, const Floors& floors, const Scenario& scenario,
                       std::size_t winning, std::size_t& compared) {
  House never(floors.first);
  play_rounds(never, game, scenario, floors.raised, winning);
  House won(floors.first);
  play_rounds(won, game, scenario, floors.raised, scenario.rounds.size());
  std::vector<std::size_t> order = meter_claims(won.state);
  const std::size_t kept = meter_claims(never.state).size();
  REQUIRE_LE(kept, order.size());
  order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept));
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t step = at % scenario.between.size();
    if (at == step) {
      play_between(won, game, scenario, step, false);
      play_between(never, game, scenario, step, false);
    }
    won.reject(order[at]);
    ++compared;
  }
  INFO(description(never.state), "and\n", description(won.state));
  for (std::size_t level = 0; level < pools(never.state).levels.size(); ++level) {
    CHECK(pools(never.state).levels[level] == pools(won.state).levels[level]);
  }
  // The reserve's debt may be repaid sooner or later.
  CHECK_EQ(net(pools(never.state).reserve).units(), net(pools(won.state).reserve).units());
}

TEST_CASE(
    "rejections give the same result in every order; rejecting all last hits leaves no trace") {
  std::size_t compared = 0;
  std::uint64_t which = 0;
  for (const Game& game : games()) {
    CAPTURE(game.keys);
    const FloorFile file = floor_of(game, game.limits);
    const FloorFile raised = floor_of(game, game.raised);
    const Floors floors{file, raised};
    for (std::size_t seed = 1; seed <= scenarios; ++seed) {
      CAPTURE(seed);
      Dice dice(which * 1'000 + seed);
      const Scenario scenario = scenario_of(game, dice);
      check_scenario(game, floors, scenario, dice.below(8), false, compared);
      check_scenario(game, floors, scenario, dice.below(8), true, compared);
      check_last_rounds(game, floors, scenario, 0, compared);
      check_last_rounds(game, floors, scenario, dice.below(scenario.rounds.size()), compared);
    }
    ++which;
  }
  CHECK(compared > 3'000);
}

}  // namespace
}  // namespace linkmeter::rejection_order_test
