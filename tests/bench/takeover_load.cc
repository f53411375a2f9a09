#include "tests/bench/takeover_load.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>
#include <zmq.hpp>

#include "proto/codec/wire_codec.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "tests/bench/bench_floor.h"
#include "tests/support/raw_table.h"

namespace linkmeter::bench {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds ask_interval{10};  // Hello to the node that shall take over
constexpr std::chrono::seconds patience{60};

class Table {
 public:
  Table(zmq::context_t& context, const Takeover& takeover, std::size_t number)
      : context_(context),
        takeover_(takeover),
        credentials_(read_credentials(takeover.data / "credentials" /
                                      credentials_file_name(table_name(number)))),
        raw_(std::make_unique<RawTable>(context, takeover.endpoint, credentials_)) {
    raw_->send(hello());
    const ToTable reply = raw_->receive();
    const auto* welcome = std::get_if<Welcome>(&reply);
    if (welcome == nullptr || welcome->refusal != Refusal::none) throw Fault("not welcome");
    first_ = sent_ = answered_ = welcome->last_number.value();
    const auto other = std::find_if(welcome->nodes.begin(), welcome->nodes.end(),
                                    [&](const auto& one) { return one.name == takeover.other; });
    if (other == welcome->nodes.end() || other->endpoint.empty()) {
      throw Fault("the writer does not know where node " + takeover.other + " is");
    }
    other_ = *other;
  }

  void add_input(std::vector<zmq::pollitem_t>& items) {
    items.push_back({raw_->socket().handle(), 0, ZMQ_POLLIN, 0});
    if (next_) items.push_back({next_->socket().handle(), 0, ZMQ_POLLIN, 0});
  }
  [[nodiscard]] bool is_done() const { return open_.empty(); }
  [[nodiscard]] std::size_t messages() const { return answered_ - first_; }
  [[nodiscard]] std::optional<Clock::time_point> last_before() const { return last_before_; }
  [[nodiscard]] std::optional<Clock::time_point> first_after() const { return first_after_; }

  // Sends the next message if it is due. `ends`: none any more.
  void play(Clock::time_point now, bool ends) {
    if (ends || now < due_) return;
    due_ = std::max(due_ + takeover_.pace, now);
    open_.push_back(next_message());
    (is_welcome_ ? *next_ : *raw_).send(open_.back());
  }

  // From now on it asks the other node, too, until that one serves it.
  void ask_other(Clock::time_point now) {
    if (is_welcome_ || now < ask_at_) return;
    ask_at_ = now + ask_interval;
    if (!next_) {
      Credentials credentials = credentials_;
      credentials.controller_key = other_.key;
      next_ = std::make_unique<RawTable>(context_, other_.endpoint, credentials);
    }
    next_->send(hello());
  }

  void take_answers() {
    while (const auto reply = raw_->receive_now()) {
      if (acknowledge(*reply)) last_before_ = Clock::now();
    }
    if (!next_) return;
    while (const auto reply = next_->receive_now()) {
      if (acknowledge(*reply)) {
        first_after_ = first_after_.value_or(Clock::now());
      } else if (const auto* welcome = std::get_if<Welcome>(&*reply)) {
        if (welcome->refusal == Refusal::none) switch_over();
      }
    }
  }

 private:
  [[nodiscard]] std::string hello() const { return encode(Hello{TableId(credentials_.name)}); }

  void switch_over() {
    if (std::exchange(is_welcome_, true)) return;
    for (const std::string& bytes : open_) next_->send(bytes);
  }

  bool acknowledge(const ToTable& reply) {
    const auto* answers = std::get_if<Acknowledgements>(&reply);
    if (answers == nullptr) return false;
    bool is_any = false;
    for (const Acknowledgement& one : answers->list) {
      if (one.refusal == Refusal::not_the_writer) continue;
      if (one.refusal != Refusal::none) {
        throw Fault(credentials_.name + ": " + std::string(linkmeter::name(one.refusal)));
      }
      if (one.number.value() <= answered_) continue;  // of a message that was sent twice
      if (one.number.value() != answered_ + 1) throw Fault("an acknowledgement out of order");
      ++answered_;
      open_.pop_front();
      is_any = true;
    }
    return is_any;
  }

  std::string next_message() {
    const RoundId round("t" + std::to_string((sent_) / 2));
    TableCommand command = CloseRound{round, Badge()};
    if (sent_ % 2 == 0) {
      LockRound lock;
      lock.round = round;
      lock.wagers.push_back({Seat(1), WagerId("crazy-4/five-card"), Amount::dollars(5)});
      lock.chips = 1;
      command = lock;
    }
    return encode(TableMessage{TableId(credentials_.name), MessageNumber(++sent_), Digest{},
                               Timestamp::from_microseconds(1), std::move(command)});
  }

  zmq::context_t& context_;
  const Takeover& takeover_;
  const Credentials credentials_;
  NodeAddress other_;
  std::unique_ptr<RawTable> raw_, next_;
  std::deque<std::string> open_;  // unanswered, in order
  std::uint64_t first_ = 0, sent_ = 0, answered_ = 0;
  bool is_welcome_ = false;  // at the other node
  Clock::time_point due_ = Clock::now(), ask_at_{};
  std::optional<Clock::time_point> last_before_, first_after_;
};

using Tables = std::vector<std::unique_ptr<Table>>;

void wait(const Tables& tables) {
  std::vector<zmq::pollitem_t> items;
  for (const auto& table : tables) table->add_input(items);
  zmq::poll(items, milliseconds(2));
  for (const auto& table : tables) table->take_answers();
}

TakenOver result(const Tables& tables, Clock::time_point event) {
  TakenOver result;
  std::optional<Clock::time_point> first, last;
  for (const auto& table : tables) {
    result.messages += table->messages();
    if (const auto at = table->first_after()) first = std::min(first.value_or(*at), *at);
    if (const auto at = table->last_before()) last = std::max(last.value_or(*at), *at);
  }
  if (!first || !last) throw Fault("no table was served by both nodes");
  result.first = *first - event;
  result.gap = *first - *last;
  return result;
}

}  // namespace

TakenOver play(const Takeover& takeover) {
  zmq::context_t context;
  Tables tables;
  for (std::size_t at = 0; at < takeover.tables; ++at) {
    tables.push_back(std::make_unique<Table>(context, takeover, at));
  }
  const Clock::time_point event = Clock::now() + takeover.before;
  while (Clock::now() < event) {
    for (const auto& table : tables) table->play(Clock::now(), false);
    wait(tables);
  }
  takeover.event();
  const auto is_served = [](const auto& table) { return table->first_after().has_value(); };
  const auto is_done = [](const auto& table) { return table->is_done(); };
  const Clock::time_point begin = Clock::now();
  std::optional<Clock::time_point> end;
  while (!end || !std::all_of(tables.begin(), tables.end(), is_done)) {
    const Clock::time_point now = Clock::now();
    if (now - begin > patience) throw Fault("no other node took over");
    if (!end && std::all_of(tables.begin(), tables.end(), is_served)) end = now + takeover.after;
    for (const auto& table : tables) {
      table->ask_other(now);
      table->play(now, end && now > *end);
    }
    wait(tables);
  }
  return result(tables, begin);
}

}  // namespace linkmeter::bench
