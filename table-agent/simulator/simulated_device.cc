#include "table-agent/simulator/simulated_device.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <variant>

#include "meters/values/invariant.h"
#include "proto/codec/round_script.h"
#include "proto/host/fault.h"
#include "proto/host/file_descriptor.h"
#include "proto/host/local_socket.h"
#include "proto/host/uptime.h"
#include "table-agent/round/round_record.h"
#include "table-agent/round/wager_text.h"
#include "table-agent/simulator/blackjack_deal.h"
#include "table-agent/simulator/stud_deal.h"

namespace linkmeter {

namespace {

constexpr std::int64_t alive_us = 200'000;
constexpr std::int64_t resend_us = 100'000;
constexpr std::array<std::string_view, 3> resend_words = {"bets closed", "count ", "event "};
constexpr std::size_t complaints_max = 20;

bool is_for_a_new_session(std::string_view text) {
  return std::any_of(std::begin(resend_words), std::end(resend_words),
                     [text](std::string_view word) { return text.starts_with(word); });
}

}  // namespace

SimulatedDevice::SimulatedDevice(TableOffers table, const Plan& plan)
    : table_(std::move(table)), plan_(plan), chance_(plan.seed), noise_(plan.seed + 1) {}

// ---- the line ----------------------------------------------------------------------------------

void SimulatedDevice::connect() {
  is_connected_ = true;
  cutter_ = LineSplitter();
  output_.clear();
  static_cast<void>(noise_.held_back());
}

void SimulatedDevice::disconnect() {
  is_connected_ = false;
  mode_.clear();
}

void SimulatedDevice::take(std::string_view bytes, Timestamp now) {
  cutter_.add(bytes);
  while (const auto line = cutter_.next()) {
    const auto read = read_device_line(*line);
    const auto* submitted = std::get_if<DeviceMessage>(&read);
    if (submitted == nullptr) continue;  // damaged: the device asks for what is missing
    // The agent's lines are lost now and then, too.
    if (plan_.plants_faults && happens(10)) {
      ++account_.lost;
      continue;
    }
    on_reply(*submitted);
    drive(now);
  }
}

void SimulatedDevice::on_reply(const DeviceMessage& line) {
  WordReader in(line.text);
  const std::string_view word = in.any_word();
  if (line.number > 0) return on_outputs(line.number, line.text);
  if (word == "hello") {
    in.any_word(), in.any_word();
    on_hello(in.rest());
  } else if (word == "state") {
    tell_state();
  } else if (word == "ok" || word == "no") {
    const std::uint64_t number = in.number();
    on_answer(number, word == "ok", in.rest());
  } else if (word == "again") {
    const std::uint64_t from = in.number();
    for (const Said& submitted : unanswered_) {
      if (submitted.number >= from) emit(write_device_line({submitted.number, submitted.text}));
    }
  } else if (word == "alive") {
    const std::string_view session = in.any_word();
    if (session != session_) return send_unnumbered("alive " + session_);
    if (in.number() > heard_) send_unnumbered("again");
  }
}

void SimulatedDevice::on_hello(std::string_view session) {
  if (session != session_) {
    session_ = session;
    for (const Said& submitted : unanswered_) {
      if (is_for_a_new_session(submitted.text)) carried_.push_back(submitted.text);
    }
    unanswered_.clear();
    number_ = 0;
    heard_ = 0;
    mode_.clear();
    lights_.clear();
  }
  send_unnumbered("hello " + std::to_string(device_version) + " " +
                  std::to_string(table_.terms.seats) + " counted " + session_);
}

void SimulatedDevice::on_answer(std::uint64_t number, bool is_ok, std::string_view why) {
  const auto submitted = std::find_if(unanswered_.begin(), unanswered_.end(),
                                      [number](const Said& one) { return one.number == number; });
  if (submitted == unanswered_.end()) return;
  const std::string text = std::move(submitted->text);
  unanswered_.erase(submitted);
  WordReader in(text);
  const std::string_view word = in.any_word();
  if (word == "held" || word == "placed") {
    const std::string_view rest = in.rest();
    const auto wager = parse_wager_text(rest);
    INVARIANT(wager.has_value());
    const auto chip = std::find(chips_.begin(), chips_.end(), *wager);
    if (chip == chips_.end()) {
      if (is_ok && bad_.contains(std::string(rest))) complain("ok to " + text);
    } else if (!is_ok) {
      chips_.erase(chip);  // refused: the player takes it back
    }
  } else if (text == "bets closed" && !is_ok) {
    is_closed_ = false;
  } else if (word == "event" && is_ok) {
    const bool resolves = text.find("\"event\":\"resolve\"") != std::string::npos;
    if (!resolves) ++game_.next_event;
  } else if (word == "event" && why != "round_blocked" && why != "round_closed") {
    complain(text + ": " + std::string(why));
  }
}

// "dark" begins a whole output state; after a gap only "dark" is accepted.
void SimulatedDevice::on_outputs(std::uint64_t number, std::string_view text) {
  if (number <= heard_) return;
  const bool is_dark = text == "dark";
  if (number != heard_ + 1 && !is_dark) return send_unnumbered("again");
  heard_ = number;
  WordReader in(text);
  const std::string_view word = in.any_word();
  if (is_dark) {
    lights_.clear();
  } else if (word == "lock" || word == "open") {
    on_mode(text);
  } else {
    lights_.emplace(text);
  }
}

void SimulatedDevice::on_mode(std::string_view mode) {
  mode_ = mode;
  WordReader in(mode);
  const std::string_view word = in.any_word();
  idle_since_.reset();
  if (word == "open") {
    const std::string_view round = in.rest();
    if (round_ != round) is_closed_ = false;
    round_ = round;
    knows_state_ = false;
    return;
  }
  const std::string_view why = in.any_word();
  if (!in.is_over()) round_ = in.rest();
  if (why == "round" || why == "blocked") {
    game_.was_locked = true;
    if (why == "blocked" && !std::exchange(game_.was_blocked, true)) ++account_.blocked;
  }
}

void SimulatedDevice::tell_state() {
  knows_state_ = true;
  const bool is_open = !round_.empty() && !is_closed_;
  say("state " + std::to_string(chips_.size()) + (is_open ? " open " : " closed ") +
      (round_.empty() ? "-" : round_));
  for (const AskedWager& wager : chips_) say("held " + wager_text(wager));
  for (std::string& text : std::exchange(carried_, {})) say(std::move(text));
}

void SimulatedDevice::say(std::string text) {
  unanswered_.push_back({++number_, std::move(text)});
  emit(write_device_line({number_, unanswered_.back().text}));
}

void SimulatedDevice::send_unnumbered(const std::string& text) {
  emit(write_device_line({0, text}));
}

void SimulatedDevice::lose_power() {
  ++account_.power_lost;
  session_ = "-";
  unanswered_.clear();
  carried_.clear();
  output_.clear();
  mode_.clear();
  lights_.clear();
  round_.clear();
  is_closed_ = false;
}

bool SimulatedDevice::happens(std::uint64_t permille) { return chance_.below(1'000) < permille; }

void SimulatedDevice::emit(const std::string& line) {
  if (plan_.plants_faults) {
    output_ += noise_.through(line, account_);
  } else {
    output_ += line;
  }
}

std::string SimulatedDevice::output(Timestamp now) {
  if (!is_connected_) return {};
  if (now >= alive_due_) {
    alive_due_ = now.after(alive_us);
    send_unnumbered("alive " + session_);
    output_ += noise_.held_back();
    plant();
  }
  if (now >= resend_due_) {
    resend_due_ = now.after(resend_us);
    for (const Said& submitted : unanswered_)
      emit(write_device_line({submitted.number, submitted.text}));
  }
  drive(now);
  return std::exchange(output_, {});
}

// Plants faults at random, and some at fixed intervals so that they surely occur.
void SimulatedDevice::plant() {
  if (!plan_.plants_faults) return;
  constexpr std::uint64_t chance = 20, rounds_between = 20;
  const std::uint64_t before = std::exchange(planted_in_, round_number_);
  const auto has_passed = [&](std::uint64_t offset) {
    return (round_number_ + offset) / rounds_between > (before + offset) / rounds_between;
  };
  drops_ = drops_ || happens(chance) || has_passed(rounds_between / 2);
  if (happens(chance) || has_passed(0)) lose_power();
}

bool SimulatedDevice::drops_connection() {
  const bool drops = std::exchange(drops_, false);
  if (drops) ++account_.dropped;
  return drops;
}

// ---- players and dealer ------------------------------------------------------------------------

void SimulatedDevice::drive(Timestamp now) {
  const bool is_settled = unanswered_.empty() && carried_.empty();
  if (!is_connected_ || is_over_ || mode_.empty() || !is_settled) return;
  WordReader in(mode_);
  if (in.any_word() == "open") return drive_open();
  const std::string_view why = in.any_word();
  if (why == "counting") return count_chips();
  if (why == "idle") return drive_idle(now);
  if (why == "round") return drive_round();
  if (why == "left_open") return drive_left_open();
  if (why == "blocked") {
    drive_blocked();
  } else if (why == "refused") {
    complain("the lock of " + round_ + " was refused");
    say("event " + event_text(CloseRound{RoundId(round_), Badge()}));
  }
}

// The demo's floorperson resolves the blocked round. A house without that badge refuses this; then
// the round is voided.
void SimulatedDevice::drive_blocked() {
  const RoundId round(round_);
  const bool is_refused = std::any_of(lights_.begin(), lights_.end(), [](const std::string& line) {
    return line.starts_with("refused resolve ");
  });
  if (!is_refused) {
    say("event " + event_text(ResolveCount{round, game_.counted, Badge("F-1")}));
    return;
  }
  const VoidRound voided{round, "nobody may resolve the count", Badge()};
  game_.commands.back() = voided;
  say("event " + event_text(voided));
}

// The agent has lost its record of the round. If it is the round of this game, the game continues.
void SimulatedDevice::drive_left_open() {
  if (game_.was_locked) return accepted_lights().empty() ? drive_blocked() : drive_round();
  const VoidRound voided{RoundId(round_), "left open by a computer that was replaced", Badge()};
  say("event " + event_text(voided));
}

void SimulatedDevice::drive_open() {
  if (!knows_state_) return;
  if (!std::exchange(game_.is_laid, true)) return lay_chips();
  is_closed_ = true;
  say("bets closed");
}

void SimulatedDevice::lay_chips() {
  chips_ = std::get<LockRound>(game_.commands.front()).wagers;
  if (plan_.plants_faults) lay_badly();
  for (const AskedWager& wager : std::vector<AskedWager>(chips_)) {
    say("placed " + wager_text(wager));
    if (!plan_.plants_faults || !happens(50)) continue;
    say("removed " + std::to_string(wager.seat.value()) + " " + wager.wager.text() +
        (wager.on_dealer ? " dealer" : " own"));
    say("placed " + wager_text(wager));
  }
}

// Places wagers that the agent must refuse.
void SimulatedDevice::lay_badly() {
  AskedWager wager = chips_.front();
  if (happens(50)) {
    wager.seat = Seat(static_cast<std::uint8_t>(table_.terms.seats + 1));
  } else if (happens(50)) {
    wager.amount = Amount::cents(7);
  } else if (happens(50)) {
    wager.wager = WagerId("keno/ten-spot");
  } else {
    return;
  }
  bad_.insert(wager_text(wager));
  say("placed " + wager_text(wager));
}

void SimulatedDevice::count_chips() {
  game_.counted = chips_;
  std::uint32_t chips = table_.chip_count(chips_);
  if (plan_.plants_faults && happens(40)) ++chips;
  say("count " + std::to_string(chips));
}

std::multiset<std::string> SimulatedDevice::accepted_lights() const {
  std::multiset<std::string> accepted;
  for (const std::string& light : lights_) {
    if (light.starts_with("light ") && light.ends_with(" accepted")) accepted.insert(light);
  }
  return accepted;
}

// The hands are dealt once every counted wager has its light.
void SimulatedDevice::drive_round() {
  std::multiset<std::string> expected;
  for (const AskedWager& wager : game_.counted) expected.insert(light_text(wager, "accepted"));
  const std::multiset<std::string> accepted = accepted_lights();
  if (accepted.size() < expected.size()) return;
  if (accepted != expected) complain("the lights of " + round_ + " are of other wagers");
  if (game_.next_event >= game_.commands.size()) return;  // until the round is over
  TableCommand command = game_.commands[game_.next_event];
  std::visit([this](auto& submitted) { submitted.round = RoundId(round_); }, command);
  if (auto* show = std::get_if<ShowHands>(&command)) leave_out_idle_folds(*show, game_.counted);
  say("event " + event_text(command));
}

void SimulatedDevice::drive_idle(Timestamp now) {
  constexpr std::int64_t settling_us = 2'000;  // for wins that arrive later
  if (!idle_since_) idle_since_ = now;
  const bool ends = game_.was_locked || game_.is_laid;
  const std::int64_t wait_us = ends ? std::int64_t{1'000} * plan_.pace_ms + settling_us : 0;
  if (now.microseconds() - idle_since_->microseconds() < wait_us) return;
  if (game_.was_locked) {
    finish_round();
  } else if (game_.is_laid) {
    ++account_.given_back;
  }
  if (plan_.rounds && round_number_ > *plan_.rounds) {
    is_over_ = true;
    return;
  }
  begin_round();
}

void SimulatedDevice::begin_round() {
  Prng chance = Prng::for_round(plan_.seed, table_.terms.id.text(), round_number_);
  game_ = Game();
  const RoundId unnamed("-");
  game_.commands = table_.game.dealing == Dealing::blackjack
                       ? deal_blackjack(table_, unnamed, chance)
                       : deal_stud(table_, unnamed, chance);
  chips_.clear();
  bad_.clear();
  is_closed_ = false;  // the button is pressed again
  say("bets open");
}

void SimulatedDevice::finish_round() {
  ++round_number_;
  if (std::holds_alternative<VoidRound>(game_.commands.back())) {
    ++account_.voided;
    return;
  }
  ++account_.rounds;
  for (const AskedWager& wager : game_.counted) {
    ++account_.wagers[wager.wager];
    account_.handle_cents[wager.wager] += wager.amount.in_cents();
  }
  for (const std::string& light : lights_) {
    WordReader in(light);
    if (in.any_word() != "win") continue;
    in.any_word(), in.any_word();
    ++account_.wins;
    account_.win_cents += static_cast<std::int64_t>(in.number());
  }
}

void SimulatedDevice::complain(const std::string& what) {
  if (account_.complaints.size() < complaints_max) account_.complaints.push_back(what);
}

namespace {

constexpr int turn_ms = 10;

Timestamp device_time() { return Timestamp::from_microseconds(uptime().count()); }

FileDescriptor listen_at(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_socket(path, ignored)) std::filesystem::remove(path, ignored);
  FileDescriptor listening = bind_local(path.string());
  if (!listening.is_open() || ::listen(listening.get(), 1) != 0) {
    throw Fault("cannot listen at " + path.string() + ": " + std::strerror(errno));
  }
  return listening;
}

// Returns false if the agent is gone.
bool on_reply(SimulatedDevice& device, int agent) {
  std::array<char, 4'096> bytes{};
  const ssize_t count = ::recv(agent, bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (count > 0) device.take({bytes.data(), static_cast<std::size_t>(count)}, device_time());
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

bool speak(SimulatedDevice& device, int agent) {
  const std::string bytes = device.output(device_time());
  if (bytes.empty()) return true;
  // An agent that reads nothing does not block the device: the device begins a new session with the
  // next connection.
  const ssize_t count = ::send(agent, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return count == static_cast<ssize_t>(bytes.size());
}

}  // namespace

void host(SimulatedDevice& device, const std::filesystem::path& path, int stop_descriptor) {
  const FileDescriptor listening = listen_at(path);
  FileDescriptor agent;
  while (!device.is_over()) {
    const bool has_agent = agent.is_open();
    std::array<pollfd, 2> items{
        {{has_agent ? agent.get() : listening.get(), POLLIN, 0}, {stop_descriptor, POLLIN, 0}}};
    ::poll(items.data(), items.size(), turn_ms);
    if (items[1].revents != 0) return;
    if (!has_agent) {
      agent = FileDescriptor(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (agent.is_open()) device.connect();
      continue;
    }
    const bool is_there = (items[0].revents == 0 || on_reply(device, agent.get())) &&
                          speak(device, agent.get()) && !device.drops_connection();
    if (is_there) continue;
    device.disconnect();
    agent = FileDescriptor();
  }
}

}  // namespace linkmeter
