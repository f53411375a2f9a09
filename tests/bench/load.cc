#include "tests/bench/load.h"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <zmq.hpp>

#include "meters/game/card.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "tests/bench/bench_floor.h"
#include "tests/support/raw_table.h"

namespace linkmeter::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Hands of one deck that win nothing: not in a row, not of one suit, no pairs.
constexpr std::array<const char*, 7> hands = {"2c4d6c8dTc", "2d4c6d8cTd", "2h4s6h8sTh",
                                              "2s4h6s8hTs", "3c5d7c9dJc", "3d5c7d9cJd",
                                              "3h5s7h9sJh"};
constexpr const char* winning_hand = "AcAdAhAsKc";

std::vector<Card> cards_of(std::string_view text) {
  std::vector<Card> cards;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    const auto card = parse_card(text.substr(at, 2));
    if (!card) throw Fault("a card of the benchmark is none");
    cards.push_back(*card);
  }
  return cards;
}

// One table: its next message, and the answers that it waits for.
class Table {
 public:
  Table(zmq::context_t& context, const std::string& endpoint, const Credentials& credentials,
        const Workload& workload, std::size_t rounds)
      : name_(credentials.name),
        workload_(workload),
        raw_(context, endpoint, credentials),
        sent_at_(rounds * workload.messages_per_round()) {
    raw_.send(encode(Hello{TableId(name_)}));
    const ToTable reply = raw_.receive();
    const auto* welcome = std::get_if<Welcome>(&reply);
    if (welcome == nullptr || welcome->refusal != Refusal::none) throw Fault("not welcome");
    for (std::size_t seat = 0; seat < workload.seats; ++seat) {
      const Seat place(static_cast<std::uint8_t>(seat + 1));
      lock_.wagers.push_back({place, WagerId("crazy-4/five-card"), Amount::dollars(5)});
      show_.hands.push_back({place, cards_of(hands.at(seat)), false, Amount()});
    }
    show_.dealer = cards_of(hands.back());
    won_ = show_;
    won_.hands.front().cards = cards_of(winning_hand);
    lock_.chips = static_cast<std::uint32_t>(workload.seats);
  }

  [[nodiscard]] zmq::socket_t& socket() { return raw_.socket(); }
  [[nodiscard]] bool is_done() const { return answered_ == sent_at_.size(); }

  // The first round of a table with a pace; the first rounds of all tables are spread over the
  // pace.
  void begin_at(Clock::time_point moment) { round_due_ = moment; }
  // When its next round may begin. A time in the past: it waits only for answers.
  [[nodiscard]] Clock::time_point round_due() const {
    return has_more() && is_between_rounds() ? round_due_ : Clock::time_point::min();
  }

  void fill_window() {
    while (has_more() && sent_ - answered_ < workload_.window) {
      if (is_between_rounds()) {
        if (Clock::now() < round_due_) return;
        round_due_ += workload_.pace;
      }
      const std::string bytes = next_message();
      sent_at_[sent_++] = Clock::now();
      raw_.send(bytes);
    }
  }

  void take_answers(Played& played) {
    while (const auto reply = raw_.receive_now()) {
      const auto* answers = std::get_if<Acknowledgements>(&*reply);
      if (answers == nullptr) throw Fault("a message that is not an answer");
      const Clock::time_point now = Clock::now();
      ++played.frames;
      for (const Acknowledgement& one : answers->list) {
        if (one.refusal != Refusal::none || one.number.value() != answered_ + 1) {
          throw Fault(name_ + ": message " + std::to_string(one.number.value()) + ": " +
                      std::string(linkmeter::name(one.refusal)));
        }
        const std::size_t per_round = workload_.messages_per_round();
        const bool is_win = answered_ % per_round == 1 && workload_.is_won(answered_ / per_round);
        if (is_win) played.wins.push_back(now - sent_at_[answered_]);
        played.latencies.push_back(now - sent_at_[answered_++]);
      }
    }
  }

 private:
  [[nodiscard]] bool has_more() const { return sent_ < sent_at_.size(); }
  [[nodiscard]] bool is_between_rounds() const {
    return workload_.pace.count() > 0 && sent_ % workload_.messages_per_round() == 0;
  }

  std::string next_message() {
    const std::size_t per_round = workload_.messages_per_round();
    const std::size_t step = sent_ % per_round;
    const RoundId round("r" + std::to_string(sent_ / per_round));
    lock_.round = show_.round = won_.round = round;
    TableCommand command = CloseRound{round, Badge()};
    if (step == 0) command = lock_;
    if (step == 1 && workload_.shape == Shape::lock_show_close) {
      command = workload_.is_won(sent_ / per_round) ? won_ : show_;
    }
    return encode(TableMessage{TableId(name_), MessageNumber(sent_ + 1), Digest{},
                               Timestamp::from_microseconds(1), std::move(command)});
  }

  std::string name_;
  const Workload& workload_;
  RawTable raw_;
  LockRound lock_;
  ShowHands show_, won_;
  std::vector<Clock::time_point> sent_at_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  Clock::time_point round_due_;
};

// The time until the next round of any table may begin; nullopt: no table waits for that.
std::optional<std::chrono::milliseconds> time_until_round(
    const std::vector<std::unique_ptr<Table>>& tables) {
  std::optional<Clock::time_point> due;
  for (const auto& table : tables) {
    const Clock::time_point one = table->round_due();
    if (one != Clock::time_point::min()) due = std::min(due.value_or(one), one);
  }
  if (!due) return std::nullopt;
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(*due - Clock::now()));
}

// A socket uses one file for its connection, one for its mailbox, and more while it connects.
void take_files_for(std::size_t tables) {
  rlimit files{};
  const rlim_t wanted = 4 * tables + 64;
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_max < wanted) {
    throw Fault("this process may not have enough files for so many tables");
  }
  files.rlim_cur = std::max(files.rlim_cur, wanted);
  ::setrlimit(RLIMIT_NOFILE, &files);
}

}  // namespace

Played play(const std::string& endpoint, const std::filesystem::path& data,
            const Workload& workload) {
  constexpr std::chrono::seconds patience{30};
  take_files_for(workload.tables);
  zmq::context_t context;
  context.set(zmq::ctxopt::max_sockets, static_cast<int>(workload.tables + 16));
  std::vector<std::unique_ptr<Table>> tables;
  std::vector<zmq::pollitem_t> items;
  for (std::size_t at = 0; at < workload.tables; ++at) {
    const auto file = data / "credentials" / credentials_file_name(table_name(at));
    tables.push_back(std::make_unique<Table>(context, endpoint, read_credentials(file), workload,
                                             workload.rounds_of(at)));
    items.push_back({tables.back()->socket().handle(), 0, ZMQ_POLLIN, 0});
  }
  Played played;
  played.latencies.reserve(workload.rounds * workload.messages_per_round());
  const Clock::time_point begin = Clock::now();
  for (std::size_t at = 0; at < tables.size(); ++at) {
    tables[at]->begin_at(begin + workload.pace * at / tables.size());
    tables[at]->fill_window();
  }
  const auto is_done = [](const auto& table) { return table->is_done(); };
  while (!std::all_of(tables.begin(), tables.end(), is_done)) {
    if (zmq::poll(items, time_until_round(tables).value_or(patience)) == 0 &&
        !time_until_round(tables)) {
      throw Fault("the controller does not answer");
    }
    for (std::size_t at = 0; at < tables.size(); ++at) {
      if ((items[at].revents & ZMQ_POLLIN) != 0) tables[at]->take_answers(played);
      tables[at]->fill_window();
    }
  }
  played.elapsed = Clock::now() - begin;
  std::sort(played.latencies.begin(), played.latencies.end());
  std::sort(played.wins.begin(), played.wins.end());
  return played;
}

}  // namespace linkmeter::bench
