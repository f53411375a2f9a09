#include "table-agent/link/lockout.h"

#include <algorithm>

#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

const SuspendedLink* find(const std::vector<SuspendedLink>& suspended, const LinkId& link) {
  const auto found = std::find_if(suspended.begin(), suspended.end(),
                                  [&link](const SuspendedLink& one) { return one.link == link; });
  return found == suspended.end() ? nullptr : &*found;
}

}  // namespace

std::string_view name(Lockout::Cause cause) {
  switch (cause) {
    case Lockout::Cause::none: return "none";
    case Lockout::Cause::no_controller: return "no_controller";
    case Lockout::Cause::catching_up: return "catching_up";
    case Lockout::Cause::configuration_differs: return "configuration_differs";
    case Lockout::Cause::history_not_accepted: return "history_not_accepted";
    case Lockout::Cause::frozen: return "frozen";
    case Lockout::Cause::another_agent: return "another_agent";
    case Lockout::Cause::pace_exceeded: return "pace_exceeded";
  }
  INVARIANT(false);
  return {};
}

std::string LockoutChange::cause_text(const Lockout& lockout) const {
  switch (lockout.cause) {
    case Lockout::Cause::configuration_differs:
      return "the controller has other parameters of this table in force than this agent's floor "
             "file; start it with the one in force";
    case Lockout::Cause::history_not_accepted:
      return "the controller was restored from a backup, and two managers have not accepted that "
             "yet; this table keeps its later messages and sends them again then";
    case Lockout::Cause::another_agent:
      return "another agent of " + table_.text() +
             " is connected; this one waits until that one is gone";
    case Lockout::Cause::frozen:
      return "the table is frozen: " + lockout.frozen +
             "; open rounds go on, and two managers unfreeze it";
    case Lockout::Cause::pace_exceeded:
      return "the table has sent more rounds or messages than its pace allows; the next ones are "
             "accepted later";
    default: return {};
  }
}

std::vector<std::string> LockoutChange::note(const Lockout& lockout, Timestamp now) {
  std::vector<std::string> lines;
  const std::string locked = "progressive locked: ";
  const std::string text = cause_text(lockout);
  const bool is_other = lockout.cause != last_.cause ||
                        (lockout.cause == Lockout::Cause::frozen && lockout.frozen != last_.frozen);
  const bool closes = was_open_ && last_.is_open() && !lockout.is_open();
  if (!text.empty() && is_other) lines.push_back(locked + text);
  if (text.empty() && closes) {
    lines.push_back(locked + "no message from the controller for " + text_seconds(lost_after_us_) +
                    "; the game itself goes on");
  }
  if (closes) locked_at_ = now;
  if (was_open_ && lockout.cause == Lockout::Cause::catching_up && !last_.is_linked()) {
    lines.emplace_back("the controller is back; earlier messages are delivered first");
  }
  if (was_open_ && !last_.is_open() && lockout.is_open()) {
    const std::int64_t locked_us = now.microseconds() - locked_at_.microseconds();
    constexpr std::int64_t tenth_us = 100'000;
    lines.push_back("progressive open again after " +
                    text_seconds(locked_us / tenth_us * tenth_us));
  }
  for (const SuspendedLink& one : lockout.suspended) {
    const SuspendedLink* before = find(last_.suspended, one.link);
    if (before != nullptr && *before == one) continue;
    lines.push_back("link " + one.link.text() + " takes no wagers: suspended: " + one.reason);
  }
  for (const SuspendedLink& one : last_.suspended) {
    if (find(lockout.suspended, one.link) != nullptr) continue;
    lines.push_back("link " + one.link.text() + " operates again");
  }
  was_open_ = was_open_ || lockout.is_open();
  last_ = lockout;
  return lines;
}

std::string text_seconds(std::int64_t microseconds) {
  const std::int64_t milliseconds = microseconds / 1'000;
  std::string fraction = std::to_string(1'000 + milliseconds % 1'000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return std::to_string(milliseconds / 1'000) + (fraction.empty() ? "" : "." + fraction) + " s";
}

}  // namespace linkmeter
