#include "controller/signs/sign_text.h"

#include <algorithm>
#include <cctype>

namespace linkmeter {
namespace {

constexpr std::int64_t cents_per_dollar = 100;

std::string in_capitals(const std::string& text) {
  std::string capitals = text;
  for (char& letter : capitals) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return capitals;
}

// "$1,234,567.89".
std::string dollars_text(std::int64_t cents) {
  std::string whole = std::to_string(cents / cents_per_dollar);
  for (std::size_t at = whole.size(); at > 3; at -= 3) whole.insert(at - 3, ",");
  const std::string part = std::to_string(cents % cents_per_dollar);
  return "$" + whole + "." + (part.size() < 2 ? "0" : "") + part;
}

}  // namespace

void SignText::note(const SignUpdate& update, Timestamp uptime, Timestamp wall) {
  if (latest_ && update.sequence < latest_->sequence) return;
  if (latest_ && update.sequence == latest_->sequence && update.as_of < latest_->as_of) return;
  if (!latest_) known_claim_ = update.award ? update.award->claim : 0;
  const std::uint64_t claim = update.award ? update.award->claim : 0;
  if (claim > known_claim_) {
    known_claim_ = claim;
    won_at_ = uptime;
  }
  latest_ = update;
  // What was long on its way is as old as the controller says, if the clocks are one; a clock that
  // is behind the controller's tells nothing.
  const std::int64_t under_way = wall.microseconds() - update.as_of.microseconds();
  came_at_ = uptime.after(-std::max<std::int64_t>(under_way, 0));
}

bool SignText::is_stale(Timestamp uptime) const {
  constexpr std::int64_t us_per_ms = 1'000;
  return !latest_ || uptime.microseconds() - came_at_.microseconds() >
                         std::int64_t{latest_->maximum_age_ms} * us_per_ms;
}

std::string SignText::words(Timestamp uptime) const {
  const std::string link = latest_ ? in_capitals(latest_->link) : "";
  if (is_stale(uptime)) return (link.empty() ? "" : link + " ") + "NOT AVAILABLE";
  if (latest_->is_suspended) return link + " SUSPENDED";
  const bool just_won = latest_->award && !latest_->award->is_rejected &&
                        latest_->award->claim == known_claim_ && won_at_ != Timestamp() &&
                        uptime.microseconds() - won_at_.microseconds() < win_us;
  std::string text;
  if (just_won) {
    text = "WINNER TABLE " + in_capitals(latest_->award->table) + " " +
           dollars_text(latest_->award->amount_cents) +
           (latest_->award->is_pending ? " PENDING" : "");
  }
  if (latest_->waits_for_adjustment)
    return text + (text.empty() ? "" : "  ") + link + " PENDING ADJUSTMENT";
  for (const SignUpdate::Level& level : latest_->levels) {
    if (!level_.empty() && level.level != level_) continue;
    text += (text.empty() ? "" : "  ") + in_capitals(level.level) + " " +
            dollars_text(level.amount_cents);
  }
  return text.empty() ? link : text;
}

}  // namespace linkmeter
