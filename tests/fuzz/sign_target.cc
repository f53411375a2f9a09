// What a sign on a serial line receives from the feed, and what it then shows.
#include <algorithm>
#include <string>

#include "controller/signs/feed_reader.h"
#include "controller/signs/sign_driver.h"
#include "controller/signs/sign_text.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "tests/fuzz/target.h"

namespace linkmeter::fuzz {
namespace {

// The clocks of the machine that drives the sign, when the update arrived.
constexpr std::int64_t came_us = 100'000'000;
constexpr std::int64_t wall_us = 1'795'000'000'000'000;  // in November 2026

bool holds_amount(const SignUpdate& update) {
  const auto said = [](const std::string& text) { return text.find('$') != std::string::npos; };
  return said(update.link) || said(update.went_to);
}

void hold_bytes(const std::string& words) {
  for (const std::string& name : sign_driver_names()) {
    const std::string bytes = sign_driver(name, 1)->bytes(words);
    INVARIANT(bytes.ends_with('\n'));
    for (const char letter : bytes) {
      INVARIANT((letter >= ' ' && letter <= '~') || letter == '\r' || letter == '\n');
    }
    // No text from the feed makes a line or a command of its own.
    const bool is_lines = name == "plain";
    INVARIANT(std::count(bytes.begin(), bytes.end(), '\n') == (is_lines ? 1 : 2));
    if (!is_lines) INVARIANT(std::count(bytes.begin(), bytes.end(), '<') == 4);
  }
}

}  // namespace

// Law: no amount is shown for a link that is suspended, or whose update is too old.
void judge_sign_feed(std::string_view bytes) {
  const auto update = read_sign_update(bytes);
  if (!update) return;
  const std::int64_t cents_max = limits::meter_max.in_cents();
  for (const SignUpdate::Level& level : update->levels) {
    INVARIANT(level.amount_cents >= 0 && level.amount_cents <= cents_max);
  }
  for (const SignUpdate::Award& award : update->awards) {
    INVARIANT(award.amount_cents >= 0 && award.amount_cents <= cents_max);
  }
  SignText text;
  text.note(*update, Timestamp::from_microseconds(came_us), Timestamp::from_microseconds(wall_us));
  for (const std::int64_t later_us :
       {std::int64_t{0}, std::int64_t{1'000'000}, std::int64_t{1} << 43}) {
    const Timestamp moment = Timestamp::from_microseconds(came_us + later_us);
    const std::string words = text.words(moment);
    INVARIANT(!words.empty() || update->link.empty());
    const bool is_silent = text.is_stale(moment) || update->is_suspended || update->has_ended;
    if (is_silent && !holds_amount(*update)) INVARIANT(words.find('$') == std::string::npos);
    hold_bytes(words);
  }
  INVARIANT(text.is_stale(Timestamp::from_microseconds(came_us + (std::int64_t{1} << 43))));
}

}  // namespace linkmeter::fuzz
