#include "table-agent/device/device_session.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

constexpr std::int64_t ask_again_us = 50'000;

// Hello, Alive and Again are outside the sequence: repeating them does no harm.
bool is_unnumbered(const DeviceInput& word) {
  return std::holds_alternative<device::Hello>(word) ||
         std::holds_alternative<device::Alive>(word) || std::holds_alternative<device::Again>(word);
}

}  // namespace

DeviceSession::DeviceSession(std::string table, NewSession new_session, Intervals intervals)
    : table_(std::move(table)), new_session_(std::move(new_session)), intervals_(intervals) {}

void DeviceSession::begin(Timestamp now) {
  is_open_ = true;
  session_ = new_session_();
  ++session_count_;
  device_.reset();
  expected_ = 1;
  answers_.clear();
  said_ = 0;
  outputs_are_wanted_ = false;
  mode_.clear();
  lights_.clear();
  output_.clear();
  last_heard_at_ = now;
  alive_due_ = now;  // for the Hello
}

void DeviceSession::end() {
  is_open_ = false;
  device_.reset();
  mode_.clear();
  output_.clear();
}

std::optional<DeviceSession::Heard> DeviceSession::take(std::string_view line, Timestamp now) {
  const auto read = read_device_line(line);
  if (const auto* mistake = std::get_if<LineError>(&read)) {
    bad(name(*mistake));
    return std::nullopt;
  }
  last_heard_at_ = now;
  const auto& received = std::get<DeviceMessage>(read);
  const auto word = parse_device_input(received.text);
  if (received.number == 0) {
    const auto* known = std::get_if<DeviceInput>(&word);
    if (known == nullptr) {
      bad(name(std::get<LineError>(word)));
    } else if (!is_unnumbered(*known)) {
      bad("number_missing");
    } else {
      take_unnumbered(*known, now);
    }
    return std::nullopt;
  }
  if (!device_) return std::nullopt;  // from a session that is over
  if (received.number < expected_) {
    const auto answer = answers_.find(received.number);
    if (answer != answers_.end()) {
      put(0, answer->second);
    } else if (received.number + answers_remembered < expected_) {
      put(0, "no " + std::to_string(received.number) + " forgotten");
    }
    return std::nullopt;
  }
  if (received.number > expected_) {
    ask_again(now);
    return std::nullopt;
  }
  ++expected_;
  if (const auto* mistake = std::get_if<LineError>(&word)) {
    answer(received.number, name(*mistake));
    return std::nullopt;
  }
  if (is_unnumbered(std::get<DeviceInput>(word))) {
    answer(received.number, "number_unexpected");
    return std::nullopt;
  }
  return Heard{received.number, std::get<DeviceInput>(word)};
}

void DeviceSession::take_unnumbered(const DeviceInput& word, Timestamp now) {
  if (const auto* hello = std::get_if<device::Hello>(&word)) {
    take_hello(*hello);
  } else if (const auto* alive = std::get_if<device::Alive>(&word)) {
    // The device has lost power and with it our session. Before its Hello it cannot know the
    // session.
    if (device_ && alive->session != session_) begin(now);
  } else if (device_) {
    outputs_are_wanted_ = true;
  }
}

void DeviceSession::take_hello(const device::Hello& hello) {
  if (device_ || hello.session != session_) return;  // a repeat, or late
  if (hello.version != device_version) {
    bad("version_unknown");
    error_ = "the device speaks version " + std::to_string(hello.version) +
             " of the line; this agent speaks " + std::to_string(device_version);
    return;
  }
  device_ = hello;
}

void DeviceSession::ask_again(Timestamp now) {
  if (!has_passed(asked_again_at_, ask_again_us, now)) return;
  asked_again_at_ = now;
  put(0, "again " + std::to_string(expected_));
}

void DeviceSession::answer(std::uint64_t number, std::string_view why) {
  const std::string text = (why.empty() ? "ok " : "no ") + std::to_string(number) +
                           (why.empty() ? "" : " " + std::string(why));
  answers_[number] = text;
  if (answers_.size() > answers_remembered) answers_.erase(answers_.begin());
  put(0, text);
}

bool DeviceSession::paint(const std::string& mode, const std::multiset<std::string>& lights) {
  INVARIANT(is_begun());
  const bool all = std::exchange(outputs_are_wanted_, false) || mode_.empty();
  if (all || !std::includes(lights.begin(), lights.end(), lights_.begin(), lights_.end())) {
    say("dark");
    lights_.clear();
  }
  const bool is_other = mode != mode_;
  if (all || is_other) say(mode);
  mode_ = mode;
  std::vector<std::string> fresh;
  std::set_difference(lights.begin(), lights.end(), lights_.begin(), lights_.end(),
                      std::back_inserter(fresh));
  for (const std::string& one : fresh) say(one);
  lights_ = lights;
  return is_other;
}

std::string DeviceSession::output(Timestamp now) {
  if (is_open_ && now >= alive_due_) {
    if (device_) {
      put(0, "alive " + session_ + " " + std::to_string(said_));
    } else {
      put(0, "hello " + std::to_string(device_version) + " " + table_ + " " + session_);
    }
    alive_due_ = now.after(intervals_.alive_us);
  }
  return std::exchange(output_, {});
}

std::optional<Timestamp> DeviceSession::wakes_at() const {
  if (!is_open_) return std::nullopt;
  return alive_due_;
}

bool DeviceSession::is_silent(Timestamp now) const {
  return is_open_ && has_passed(last_heard_at_, intervals_.lost_after_us, now);
}

std::string DeviceSession::trouble() { return std::exchange(error_, {}); }

void DeviceSession::put(std::uint64_t number, const std::string& text) {
  output_ += write_device_line({number, text});
}

}  // namespace linkmeter
