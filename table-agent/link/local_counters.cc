#include "table-agent/link/local_counters.h"

#include <algorithm>
#include <sstream>
#include <utility>
#include <variant>

#include "meters/values/limits.h"
#include "proto/host/fault.h"

namespace linkmeter {

LocalCounters::LocalCounters(std::vector<LinkConfig> links)
    : links_(std::move(links)), counts_(links_.size()) {}

std::size_t LocalCounters::place_of(std::string_view link) const {
  const auto found = std::find_if(links_.begin(), links_.end(),
                                  [link](const LinkConfig& one) { return one.id.text() == link; });
  return static_cast<std::size_t>(found - links_.begin());
}

void LocalCounters::count(const RoundId& round, const std::vector<AskedWager>& wagers) {
  std::vector<Counted>& open = open_[round];
  for (Count& one : counts_) ++one.rounds;
  for (const AskedWager& wager : wagers) {
    for (std::size_t at = 0; at < links_.size(); ++at) {
      if (links_[at].wager != wager.wager || !links_[at].takes(wager.amount)) continue;
      ++counts_[at].wagers;
      counts_[at].handle += wager.amount;
      open.push_back({at, wager.amount, wager.seat});
      break;
    }
  }
}

// A round that was blocked and not resolved has counted nothing.
void LocalCounters::take_back(const RoundId& round) {
  const auto found = open_.find(round);
  if (found == open_.end()) return;
  for (Count& one : counts_) --one.rounds;
  for (const Counted& wager : found->second) {
    --counts_[wager.link].wagers;
    counts_[wager.link].handle -= wager.amount;
  }
  open_.erase(found);
}

// One hand is void; the round goes on.
void LocalCounters::take_back(const RoundId& round, Seat seat) {
  const auto found = open_.find(round);
  if (found == open_.end()) return;
  std::erase_if(found->second, [&](const Counted& wager) {
    if (wager.seat != seat) return false;
    --counts_[wager.link].wagers;
    counts_[wager.link].handle -= wager.amount;
    return true;
  });
}

void LocalCounters::count_pot(const PlayPot& pot, bool contributes) {
  for (std::size_t at = 0; at < links_.size(); ++at) {
    ++counts_[at].rounds;
    const std::optional<PotConfig>& terms = links_[at].pot;
    if (!contributes || !terms || pot.pot < terms->minimum_pot || terms->contribution == Amount())
      continue;
    ++counts_[at].wagers;
    counts_[at].handle += terms->contribution;
  }
}

void LocalCounters::note(MessageNumber number, const TableCommand& command, Became became) {
  if (number <= up_to_) return;
  up_to_ = number;
  if (became == Became::refused) return;
  if (const auto* lock = std::get_if<LockRound>(&command)) {
    if (became != Became::blocked) count(lock->round, lock->wagers);
  } else if (const auto* resolve = std::get_if<ResolveCount>(&command)) {
    count(resolve->round, resolve->wagers);
  } else if (const auto* pot = std::get_if<PlayPot>(&command)) {
    count_pot(*pot, became != Became::without_contribution);
  } else if (const auto* close = std::get_if<CloseRound>(&command)) {
    open_.erase(close->round);
  } else if (const auto* annul = std::get_if<VoidRound>(&command)) {
    if (annul->seat) {
      take_back(annul->round, *annul->seat);
    } else {
      take_back(annul->round);
    }
  }
}

std::string LocalCounters::text() const {
  std::ostringstream all;
  all << "messages " << from_.value() << ' ' << up_to_.value() << '\n';
  for (std::size_t at = 0; at < links_.size(); ++at) {
    all << "link " << links_[at].id.text() << ' ' << counts_[at].rounds << ' ' << counts_[at].wagers
        << ' ' << counts_[at].handle.units() << '\n';
  }
  for (const auto& [round, wagers] : open_) {
    all << "seats " << wagers.size();
    for (const Counted& wager : wagers) {
      all << ' ' << links_[wager.link].id.text() << ' ' << wager.amount.units() << ' '
          << static_cast<unsigned>(wager.seat.value());
    }
    all << ' ' << round.text() << '\n';  // last: the name is any one line
  }
  return all.str();
}

void LocalCounters::continue_from(std::string_view text, MessageNumber number) {
  from_ = number.next();
  up_to_ = number;
  bool is_sound = text.empty() || text.starts_with("messages ");
  std::istringstream lines{std::string(text)};
  for (std::string line; is_sound && std::getline(lines, line);) {
    WordReader in(line);
    read_line(in);
    is_sound = !in.end();
  }
  if (!is_sound) throw Fault("the outbox is damaged: the table's own counts");
}

void LocalCounters::read_line(WordReader& in) {
  const auto read_amount = [&in] {
    const std::uint64_t units = in.number(limits::lifetime_max.units());
    return Amount::from_units(static_cast<std::int64_t>(units));
  };
  const std::string_view kind = in.word();
  if (kind == "messages") {
    from_ = MessageNumber(in.number());
    up_to_ = MessageNumber(in.number());
  } else if (kind == "link") {
    const std::size_t at = place_of(in.word());
    const Count one{in.number(), in.number(), read_amount()};
    if (at < links_.size()) counts_[at] = one;
  } else if (kind == "seats" || kind == "round") {  // "round": release 0.1.0, without seats
    std::vector<Counted> open;
    for (std::uint64_t count = in.number(); count > 0 && !in.is_over(); --count) {
      const std::size_t at = place_of(in.word());
      const Counted one{at, read_amount(), kind == "seats" ? in.seat() : Seat()};
      if (at < links_.size()) open.push_back(one);
    }
    open_[RoundId(std::string(in.rest()))] = std::move(open);
  } else {
    in.mistaken();
  }
}

ReportedCounts LocalCounters::report() const {
  ReportedCounts report{from_, up_to_, {}};
  for (std::size_t at = 0; at < links_.size(); ++at) {
    report.links.push_back(
        {links_[at].id, counts_[at].rounds, counts_[at].wagers, counts_[at].handle});
  }
  return report;
}

}  // namespace linkmeter
