// linkmeter-soak-load: tables that play up to a number of rounds each, from wherever the controller
// says that they are. The contents of a message follow from its number alone, so it does not matter
// how often either side was restarted. At the end every table reports its counts, as an agent does
// in its heartbeats. Only the time at which a message was sent is the current time.
//
// Prints one line of JSON. Exit 0: everything was played; 3: ended early by SIGTERM; 1: a fault.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "meters/game/card.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/command_line.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "tests/bench/bench_floor.h"
#include "tests/bench/load.h"
#include "tests/support/raw_table.h"

namespace linkmeter::bench {
namespace {

using SoakClock = std::chrono::steady_clock;

volatile sig_atomic_t is_over = 0;
constexpr std::int64_t bet_dollars = 5;

struct SoakOptions {
  std::string endpoint;
  std::filesystem::path data;
  std::size_t tables = 100;
  std::size_t winning = 100;  // of the tables; the others never win
  std::uint64_t rounds = 0;   // of each table, from its first one on
  std::uint64_t win_every = 1'000;
  std::size_t wagers = 2;
  std::size_t window = 8;
};

// A table's messages: every round is a lock and a close; some rounds, at a fixed interval, show a
// straight flush in between.
class Story {
 public:
  explicit Story(std::uint64_t win_every) : rounds_(win_every), messages_(2 * win_every + 1) {}

  [[nodiscard]] std::uint64_t messages_of(std::uint64_t rounds) const {
    return rounds / rounds_ * messages_ + 2 * (rounds % rounds_);
  }
  [[nodiscard]] std::uint64_t locks_until(std::uint64_t message) const {
    const std::uint64_t rest = message % messages_;
    return message / messages_ * rounds_ + std::min((rest + 1) / 2, rounds_);
  }
  struct Step {
    RoundId round;
    enum class Kind { lock, show, close } kind;
  };
  // `message`: from 1 on.
  [[nodiscard]] Step step(std::uint64_t message) const {
    const std::uint64_t before = (message - 1) / messages_ * rounds_;
    const std::uint64_t at = (message - 1) % messages_;
    const std::uint64_t plain = 2 * (rounds_ - 1);
    const std::uint64_t round = before + std::min(at / 2, rounds_ - 1);
    Step::Kind kind = at % 2 == 0 ? Step::Kind::lock : Step::Kind::close;
    if (at == plain + 1) kind = Step::Kind::show;
    if (at == plain + 2) kind = Step::Kind::close;
    return {RoundId("r" + std::to_string(round)), kind};
  }

 private:
  std::uint64_t rounds_, messages_;
};

class SoakTable {
 public:
  SoakTable(zmq::context_t& context, const SoakOptions& options, std::size_t at)
      : credentials_(
            read_credentials(options.data / "credentials" / credentials_file_name(table_name(at)))),
        id_(credentials_.name),
        raw_(context, options.endpoint, credentials_),
        timeline_(at < options.winning ? options.win_every : std::uint64_t{1} << 40U),
        until_(timeline_.messages_of(options.rounds)),
        window_(options.window) {
    for (std::size_t seat = 1; seat <= options.wagers; ++seat) {
      lock_.wagers.push_back({Seat(static_cast<std::uint8_t>(seat)), WagerId("crazy-4/five-card"),
                              Amount::dollars(bet_dollars)});
    }
    lock_.chips = static_cast<std::uint32_t>(options.wagers);
    std::vector<Card> cards;
    for (const char* card : {"9h", "8h", "7h", "6h", "5h"}) cards.push_back(*parse_card(card));
    show_.hands.push_back({Seat(1), cards, false, Amount()});
    raw_.send(encode(Hello{id_}));
  }

  [[nodiscard]] zmq::socket_t& socket() { return raw_.socket(); }
  // Whether it has reported its counts after the last answer.
  [[nodiscard]] bool is_done() const { return is_counted_; }
  [[nodiscard]] std::uint64_t answered() const { return answered_; }

  void take(std::vector<std::chrono::nanoseconds>& latencies) {
    while (const auto reply = raw_.receive_now()) {
      if (const auto* welcome = std::get_if<Welcome>(&*reply)) {
        if (welcome->refusal != Refusal::none) throw Fault(credentials_.name + ": not welcome");
        sent_ = answered_ = welcome->last_number.value();
        is_welcome_ = true;
      } else if (const auto* answers = std::get_if<Acknowledgements>(&*reply)) {
        for (const Acknowledgement& one : answers->list) take_answer(one, latencies);
      } else if (std::holds_alternative<HeartbeatAnswer>(*reply)) {
        is_counted_ = true;
      }
    }
  }

  void fill_window() {
    while (is_welcome_ && sent_ < until_ && sent_ - answered_ < window_) {
      const std::string bytes = message(++sent_);
      sent_at_.push_back(SoakClock::now());
      raw_.send(bytes);
    }
    if (!is_welcome_ || answered_ < until_ || has_told_) return;
    raw_.send(encode(Heartbeat{id_, 0, false, {}, counts()}));
    has_told_ = true;
  }

 private:
  void take_answer(const Acknowledgement& one, std::vector<std::chrono::nanoseconds>& latencies) {
    if (one.refusal != Refusal::none || one.number.value() != answered_ + 1) {
      throw Fault(credentials_.name + ": message " + std::to_string(one.number.value()) + ": " +
                  std::string(name(one.refusal)));
    }
    latencies.push_back(SoakClock::now() - sent_at_[sent_at_.size() - (sent_ - answered_)]);
    if (++answered_ == sent_) sent_at_.clear();
  }

  [[nodiscard]] std::string message(std::uint64_t number) {
    const Story::Step step = timeline_.step(number);
    lock_.round = show_.round = step.round;
    TableCommand command = CloseRound{step.round, Badge()};
    if (step.kind == Story::Step::Kind::lock) command = lock_;
    if (step.kind == Story::Step::Kind::show) command = show_;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto sent_at = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    return encode(TableMessage{id_, MessageNumber(number), Digest{},
                               Timestamp::from_microseconds(sent_at), std::move(command)});
  }

  [[nodiscard]] ReportedCounts counts() const {
    const std::uint64_t rounds = timeline_.locks_until(answered_);
    const std::uint64_t wagers = rounds * lock_.wagers.size();
    return {MessageNumber(1),
            MessageNumber(answered_),
            {{LinkId("C4"), rounds, wagers,
              Amount::dollars(bet_dollars).times(static_cast<std::int64_t>(wagers))}}};
  }

  Credentials credentials_;
  TableId id_;
  RawTable raw_;
  Story timeline_;
  std::uint64_t until_;
  std::size_t window_;
  LockRound lock_;
  ShowHands show_;
  std::vector<SoakClock::time_point> sent_at_;  // the last ones are those without an answer
  std::uint64_t sent_ = 0, answered_ = 0;
  bool is_welcome_ = false, has_told_ = false, is_counted_ = false;
};

int play_on(const SoakOptions& options) {
  zmq::context_t context;
  context.set(zmq::ctxopt::max_sockets, static_cast<int>(options.tables + 16));
  std::vector<std::unique_ptr<SoakTable>> tables;
  std::vector<zmq::pollitem_t> items;
  for (std::size_t at = 0; at < options.tables; ++at) {
    tables.push_back(std::make_unique<SoakTable>(context, options, at));
    items.push_back({tables.back()->socket().handle(), 0, ZMQ_POLLIN, 0});
  }
  std::vector<std::chrono::nanoseconds> latencies;
  const SoakClock::time_point begin = SoakClock::now();
  const auto is_done = [](const auto& table) { return table->is_done(); };
  bool are_done = false;
  while (!are_done && is_over == 0) {
    try {
      zmq::poll(items, std::chrono::milliseconds(200));
    } catch (const zmq::error_t& error) {
      if (error.num() != EINTR) throw;
    }
    for (std::size_t at = 0; at < tables.size(); ++at) {
      if ((items[at].revents & ZMQ_POLLIN) != 0) tables[at]->take(latencies);
      tables[at]->fill_window();
    }
    are_done = std::all_of(tables.begin(), tables.end(), is_done);
  }
  std::sort(latencies.begin(), latencies.end());
  const auto at = [&latencies](std::size_t per_mille) {
    if (latencies.empty()) return 0.0;
    const auto one = latencies[(latencies.size() - 1) * per_mille / 1'000];
    return std::chrono::duration<double, std::milli>(one).count();
  };
  const double seconds = std::chrono::duration<double>(SoakClock::now() - begin).count();
  const nlohmann::json told{{"messages", latencies.size()},
                            {"seconds", seconds},
                            {"p50_ms", at(500)},
                            {"p99_ms", at(990)},
                            {"longest_ms", at(1'000)},
                            {"done", are_done}};
  std::printf("%s\n", told.dump().c_str());
  return are_done ? 0 : 3;
}

}  // namespace
}  // namespace linkmeter::bench

int main(int count, char** arguments) {
  using namespace linkmeter::bench;
  SoakOptions options;
  CLI::App app("Tables that play on, up to so many rounds each", "linkmeter-soak-load");
  app.add_option("--endpoint", options.endpoint, "The controller's")->required();
  app.add_option("--data", options.data, "Its data folder, for the tables' keys")->required();
  app.add_option("--tables", options.tables, "Tables")->transform(linkmeter::a_number(1, 1'000));
  app.add_option("--winning", options.winning, "Of these, so many win")
      ->transform(linkmeter::a_number(0, 1'000));
  app.add_option("--rounds", options.rounds, "Of each table, from its first one on")
      ->required()
      ->transform(linkmeter::a_number(1));
  app.add_option("--win-every", options.win_every, "Rounds of a winning table")
      ->transform(linkmeter::a_number(1, 1'000'000'000));
  app.add_option("--wagers", options.wagers, "Of a round")->transform(linkmeter::a_number(1, 6));
  app.add_option("--window", options.window, "Unanswered messages")
      ->transform(linkmeter::a_number(1, 1'024));
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  struct sigaction end {};
  end.sa_handler = [](int) { is_over = 1; };
  ::sigaction(SIGTERM, &end, nullptr);
  try {
    return play_on(options);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "linkmeter-soak-load: %s\n", fault.what());
    return 1;
  }
}
