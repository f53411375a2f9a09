#include "controller/signs/sign_text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "meters/values/amount.h"

namespace linkmeter {
namespace {

std::string in_capitals(const std::string& text) {
  std::string capitals = text;
  for (char& letter : capitals) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return capitals;
}

}  // namespace

void SignText::note(const SignUpdate& update, Timestamp uptime, Timestamp wall) {
  if (latest_ && update.sequence < latest_->sequence) return;
  if (latest_ && update.sequence == latest_->sequence && update.as_of < latest_->as_of) return;
  if (!latest_ && !update.awards.empty()) known_claim_ = update.awards.front().claim;
  latest_ = update;
  note_wins(uptime);
  // A delayed update's age follows from the controller's time, if the clocks agree. A clock behind
  // the controller's gives no age.
  const std::int64_t under_way = wall.microseconds() - update.as_of.microseconds();
  came_at_ = uptime.after(-std::max<std::int64_t>(under_way, 0));
}

void SignText::note_wins(Timestamp uptime) {
  std::erase_if(wins_, [uptime](const Win& win) { return win.until <= uptime; });
  for (std::size_t left = latest_->awards.size(); left > 0; --left) {
    const SignUpdate::Award& award = latest_->awards[left - 1];
    if (award.claim <= known_claim_) continue;
    known_claim_ = award.claim;
    Timestamp begins = uptime;
    if (!wins_.empty()) begins = std::max(begins, wins_.back().begins.after(turn_us));
    wins_.push_back({award.claim, begins, std::max(uptime.after(win_us), begins.after(turn_us))});
  }
}

const SignUpdate::Award* SignText::award(std::uint64_t claim) const {
  for (const SignUpdate::Award& one : latest_->awards) {
    if (one.claim == claim) return one.is_rejected ? nullptr : &one;
  }
  return nullptr;
}

const SignUpdate::Award* SignText::win_at(Timestamp uptime) const {
  std::vector<const SignUpdate::Award*> again;  // wins that had their first turn
  for (const Win& win : wins_) {
    const SignUpdate::Award* told = award(win.claim);
    if (told == nullptr || uptime < win.begins || win.until <= uptime) continue;
    if (uptime < win.begins.after(turn_us)) return told;
    again.push_back(told);
  }
  if (again.empty()) return nullptr;
  const auto turn = static_cast<std::uint64_t>(uptime.microseconds() / turn_us);
  return again[turn % again.size()];
}

bool SignText::is_stale(Timestamp uptime) const {
  constexpr std::int64_t us_per_ms = 1'000;
  return !latest_ || uptime.microseconds() - came_at_.microseconds() >
                         std::int64_t{latest_->maximum_age_ms} * us_per_ms;
}

std::string SignText::words(Timestamp uptime) const {
  const std::string link = latest_ ? in_capitals(latest_->link) : "";
  if (is_stale(uptime)) return (link.empty() ? "" : link + " ") + "NOT AVAILABLE";
  if (latest_->has_ended) {
    return link + " HAS ENDED" +
           (latest_->went_to.empty() ? "" : "  AMOUNT MOVED TO " + in_capitals(latest_->went_to));
  }
  if (latest_->is_suspended) return link + " SUSPENDED";
  std::string text;
  if (const SignUpdate::Award* win = win_at(uptime)) {
    text = "WINNER TABLE " + in_capitals(win->table) + " " +
           money_text(Amount::cents(win->amount_cents)) + (win->is_pending ? " PENDING" : "");
  }
  if (latest_->waits_for_adjustment)
    return text + (text.empty() ? "" : "  ") + link + " PENDING ADJUSTMENT";
  for (const SignUpdate::Level& level : latest_->levels) {
    if (!level_.empty() && level.level != level_) continue;
    text += (text.empty() ? "" : "  ") + in_capitals(level.level) + " " +
            money_text(Amount::cents(level.amount_cents));
  }
  if (latest_->is_stopped) text += (text.empty() ? "" : "  ") + std::string("NO MORE WAGERS");
  return text.empty() ? link : text;
}

}  // namespace linkmeter
