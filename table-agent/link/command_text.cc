#include "table-agent/link/command_text.h"

#include <variant>
#include <vector>

namespace linkmeter {
namespace {

// The wager, if there is only one: then a refusal is about it.
std::string text_of(const std::vector<AskedWager>& wagers) {
  if (wagers.size() != 1) return "";
  const AskedWager& wager = wagers.front();
  const Amount amount = wager.amount;
  return ": seat " + std::to_string(wager.seat.value()) + ", " + wager.wager.text() + " $" +
         (amount.is_whole_cents() ? text_cents(amount) : text_exact(amount));
}
std::string text_of(const LockRound& lock) {
  return "lock " + lock.round.text() + text_of(lock.wagers);
}
std::string text_of(const ResolveCount& resolve) {
  return "resolve " + resolve.round.text() + text_of(resolve.wagers);
}
std::string text_of(const ShowHands& show) { return "show " + show.round.text(); }
std::string text_of(const CloseRound& close) { return "close " + close.round.text(); }
std::string text_of(const VoidRound& round) {
  return "void " + round.round.text() +
         (round.seat ? " seat " + std::to_string(round.seat->value()) : "");
}
std::string text_of(const PlayPot& pot) { return "pot " + pot.round.text(); }

}  // namespace

std::string command_text(const TableCommand& command) {
  return std::visit([](const auto& one) { return text_of(one); }, command);
}

}  // namespace linkmeter
