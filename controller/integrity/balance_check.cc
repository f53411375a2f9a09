#include "controller/integrity/balance_check.h"

#include "meters/rules/laws.h"
#include "meters/values/invariant.h"

namespace linkmeter {

namespace {

// A flipped bit can also make a sum overflow, which breaks a law too.
std::optional<std::string> broken_in_memory(const State& state, LinkIndex link) {
  try {
    const ReadingScope reads;
    auto broken = law_violation(state, link);
    return broken ? broken : claims_violation(state, link);
  } catch (const BrokenLaw& broken) {
    return broken.what();
  }
}

}  // namespace

std::optional<std::string> mismatch(const State& state, const Journal& journal, LinkIndex link) {
  if (auto broken = broken_in_memory(state, link)) {
    return "memory breaks a law of money: " + *broken;
  }
  Changes one;
  one.links.insert(link);
  const std::string key = rows_for(state, one).front().key;
  const auto value = journal.row(key);
  if (!value) return "its state is missing on the disk";
  const auto book = read_link_row({key, *value});
  if (!book) return "its state on the disk is damaged";
  if (*book != state.link(link)) return "memory and disk differ";
  return std::nullopt;
}

std::optional<LinkIndex> BalanceCheck::due(std::chrono::microseconds uptime,
                                           std::size_t link_count) {
  if (link_count == 0 || uptime - last_ < round_ / link_count) return std::nullopt;
  last_ = uptime;
  return LinkIndex(static_cast<std::uint32_t>(next_++ % link_count));
}

}  // namespace linkmeter
