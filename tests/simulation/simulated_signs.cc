#include "tests/simulation/simulated_signs.h"

#include <algorithm>

#include "controller/view/json.h"
#include "meters/values/time_text.h"
#include "proto/http/server.h"

namespace linkmeter {

namespace {

constexpr std::int64_t maximum_age_us = 3'000'000;

std::int64_t cents_of(const Json& amount) {
  std::string digits = amount.get<std::string>();
  std::erase(digits, '.');
  return std::stoll(digits);
}

// "$1,234,567.89", by a second implementation.
std::string dollars(std::int64_t cents) {
  std::string whole = std::to_string(cents / 100);
  for (std::size_t at = whole.size(); at > 3; at -= 3) whole.insert(at - 3, ",");
  const std::string rest = std::to_string(cents % 100);
  return "$" + whole + "." + (rest.size() == 1 ? "0" : "") + rest;
}

std::string shouted(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

SignUpdate update_of(const Json& told, Timestamp as_of) {
  SignUpdate update;
  update.link = told.at("link").get<std::string>();
  update.sequence = told.at("sequence").get<std::uint64_t>();
  update.as_of = as_of;
  update.maximum_age_ms = told.at("maximum_age_ms").get<std::uint32_t>();
  update.is_suspended = told.at("status").get<std::string>() != "operating";
  update.waits_for_adjustment = told.at("pending_adjustment").get<bool>();
  update.is_stopped = !told.at("collecting").get<bool>();
  update.has_ended = told.at("discontinued").get<bool>();
  for (const Json& level : told.at("levels")) {
    update.levels.push_back({level.at("level").get<std::string>(), cents_of(level.at("amount"))});
  }
  for (const Json& award : told.at("awards")) {
    const auto state = award.at("state").get<std::string>();
    update.awards.push_back({award.at("claim").get<std::uint64_t>(),
                             award.at("table").get<std::string>(), cents_of(award.at("amount")),
                             state == "raised", state == "rejected"});
  }
  return update;
}

}  // namespace

SimulatedSigns::SimulatedSigns(const Floor& floor, Dice dice, Plant plant)
    : dice_(dice), plant_(plant), signs_(floor.links.size()), history_(floor.links.size()) {
  for (const LinkConfig& link : floor.links) links_.push_back(link.id.text());
  shown_.resize(links_.size());
}

void SimulatedSigns::begin(const Controller& controller, const Floor& floor, Moment now) {
  presence_ = std::make_unique<TablePresence>(floor.tables.size(),
                                              std::chrono::microseconds(2'000'000), now);
  state_ = &controller.state();
  publisher_ = std::make_unique<SignPublisher>(
      controller.state(), controller.rules(), *presence_, Notices{},
      [this](const std::string& topic, const std::string&, const std::string& data, std::uint64_t) {
        published(topic, data);
      });
}

void SimulatedSigns::end() {
  publisher_.reset();
  presence_.reset();
}

void SimulatedSigns::published(const std::string& topic, const std::string& data) {
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (topic != "sign/" + links_[link]) continue;
    fresh_.emplace_back(link, data);
    shown_[link].clear();
    for (const LevelBalances& level :
         state_->link(LinkIndex(static_cast<std::uint32_t>(link))).levels) {
      shown_[link].emplace_back(level.pool.held.whole_cents());
    }
  }
}

void SimulatedSigns::note(const Controller::Turn& turn, Moment now) {
  if (!publisher_) return;
  publisher_->note(turn.changed, turn.raised, now);
  publisher_->note(turn.calls_floor);
  publisher_->note(presence_->note(turn.heard, now));
}

void SimulatedSigns::serve(Moment now) {
  publisher_->note(presence_->note({}, now));
  publisher_->serve(now);
}

void SimulatedSigns::arrive(const Faults& faults, std::int64_t steady_us, std::int64_t wall_us) {
  for (const auto& [link, data] : fresh_) {
    if (faults.drop && dice_.percent(10)) continue;
    std::int64_t at_us = steady_us + dice_.between(100, 2'000);
    if (faults.delay && dice_.percent(10)) at_us += dice_.between(1'000, 5'000'000);
    way_.emplace(std::pair(at_us, ++count_), std::pair(link, data));
  }
  fresh_.clear();
  while (!way_.empty() && way_.begin()->first.first <= steady_us) {
    const auto [link, data] = std::move(way_.begin()->second);
    way_.erase(way_.begin());
    receive(link, data, steady_us, wall_us);
  }
}

void SimulatedSigns::start_again() {
  way_.clear();
  fresh_.clear();
  for (SignText& sign : signs_) sign = SignText();
}

void SimulatedSigns::receive(std::size_t link, std::string data, std::int64_t steady_us,
                             std::int64_t wall_us) {
  const std::size_t age = data.find(web_age_mark);
  if (age != std::string::npos) data.replace(age, web_age_mark.size(), "0");
  const Json told = Json::parse(data);
  const auto as_of = parse_moment(told.at("as_of").get<std::string>());
  SignUpdate update = update_of(told, as_of.value());
  if (plant_ == Plant::sign_a_cent_more && !update.levels.empty()) {
    ++update.levels.front().amount_cents;
  }
  if (plant_ == Plant::sign_does_not_follow && signs_[link].latest()) {
    update.levels = signs_[link].latest()->levels;
  }
  if (plant_ == Plant::sign_never_stale) update.maximum_age_ms = 1'000'000'000;
  if (plant_ == Plant::sign_shows_suspended) update.is_suspended = false;
  signs_[link].note(update, Timestamp::from_microseconds(steady_us),
                    Timestamp::from_microseconds(wall_us));
}

void SimulatedSigns::record(const NaiveModel& model, std::int64_t steady_us) {
  heads_.insert(model.entries());
  for (std::size_t link = 0; link < links_.size(); ++link) {
    const NaiveBook& book = model.books()[link];
    Stood now{model.entries(), steady_us, {}, !book.suspended.empty(), book.gone, book.notice};
    for (const NaivePool& pool : book.levels) {
      now.cents.push_back(static_cast<std::int64_t>(pool.held / exact_cent));
    }
    std::deque<Stood>& history = history_[link];
    if (!history.empty()) {
      Stood before = history.back();
      before.entry = now.entry;
      before.since_us = now.since_us;
      if (before == now) continue;
    }
    history.push_back(std::move(now));
  }
}

Finding SimulatedSigns::look(std::int64_t steady_us) {
  for (std::size_t link = 0; link < links_.size(); ++link) {
    if (Finding no = look(link, steady_us)) return "sign: of " + links_[link] + " " + *no;
  }
  return std::nullopt;
}

Finding SimulatedSigns::look(std::size_t link, std::int64_t steady_us) {
  const std::string words = signs_[link].words(Timestamp::from_microseconds(steady_us));
  if (contains(words, "NOT AVAILABLE")) return std::nullopt;
  const SignUpdate& latest = signs_[link].latest().value();
  if (!heads_.contains(latest.sequence)) return "is as of an entry that no commit ended with";
  const std::deque<Stood>& history = history_[link];
  auto later = history.end();
  while (later != history.begin() && std::prev(later)->entry > latest.sequence) --later;
  if (later == history.begin()) return "is of before its link began";
  const Stood& meter_before = *std::prev(later);
  if (later != history.end() && steady_us - later->since_us > maximum_age_us + 10'000) {
    return "says what has been otherwise for " +
           std::to_string((steady_us - later->since_us) / 1'000) + " ms: " + words;
  }
  const bool has_amount = contains(words, "$");
  if (meter_before.is_over)
    return has_amount ? Finding("shows an amount of what has ended") : Finding();
  if (meter_before.is_suspended) {
    return has_amount ? Finding("shows an amount of a suspended link: " + words) : Finding();
  }
  if (meter_before.waits) {
    return contains(words, "PENDING ADJUSTMENT") ? Finding() : Finding("hides a notice: " + words);
  }
  for (std::size_t level = 0; level < meter_before.cents.size(); ++level) {
    const std::string amount =
        shouted(latest.levels.at(level).level) + " " + dollars(meter_before.cents[level]);
    if (!contains(words + " ", amount + " ")) return "says " + words + ", not " + amount;
    ++amounts_shown_;
  }
  return std::nullopt;
}

bool SimulatedSigns::all_fresh(std::int64_t steady_us) const {
  for (const SignText& sign : signs_) {
    if (sign.is_stale(Timestamp::from_microseconds(steady_us))) return false;
  }
  return true;
}

}  // namespace linkmeter
