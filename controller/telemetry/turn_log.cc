#include "controller/telemetry/turn_log.h"

#include <spdlog/spdlog.h>

#include <string_view>
#include <utility>

#include "meters/values/check.h"

namespace linkmeter {
namespace {

std::string from_words(const std::string& from) { return from.empty() ? "" : " from=" + from; }

}  // namespace

std::string printable(const std::string& text) {
  constexpr std::size_t length_max = 64;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (const char letter : std::string_view(text).substr(0, length_max)) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte > ' ' && byte < 0x7f && byte != '\\') {
      shown += letter;
    } else {
      shown += "\\x";
      shown += digits[byte >> 4U];
      shown += digits[byte & 15U];
    }
  }
  if (text.size() > length_max) shown += "...";
  return shown;
}

void TurnLog::note(const Controller::Turn& turn, const State& state,
                   std::chrono::microseconds uptime) {
  for (const Controller::Refused& refused : turn.refused) note(refused, uptime);
  for (const Controller::Acted& acted : turn.acted) {
    spdlog::info("person badge={} act={} entry={}{}", acted.by.text(), acted.act,
                 acted.entry.value(), from_words(acted.from));
  }
  for (const Controller::Miscounted& round : turn.miscounted) {
    spdlog::warn("blocked table={} round={} chips={} expected={}", round.table.text(),
                 round.round.text(), round.chips, round.chips_expected);
  }
  for (const LinkIndex link : turn.suspended) {
    spdlog::error("suspended link={} reason=\"{}\"", state.floor().link(link).id.text(),
                  state.link(link).suspended);
  }
  for (const TableIndex table : turn.frozen) {
    spdlog::error("frozen table={} reason=\"{}\"", state.floor().table(table).id.text(),
                  state.desk(table).frozen());
  }
  for (const ClaimNumber number : turn.raised) {
    const Claim* claim = state.find_claim(number);
    CHECK(claim != nullptr);
    spdlog::info("win claim={} link={} table={} seat={} line={} amount={}", number.value(),
                 state.floor().link(claim->link).id.text(),
                 state.floor().table(claim->table).id.text(), claim->seat.value(),
                 claim->line.text(), text_cents(claim->amount));
  }
}

void TurnLog::note(const std::vector<Presence::Change>& changes, const Floor& floor) {
  for (const Presence::Change& change : changes) {
    const std::string& table = floor.table(change.table).id.text();
    const double silence_s = std::chrono::duration<double>(change.silence).count();
    if (change.to == Standing::lost) {
      spdlog::warn("table {} lost: nothing heard for {:.1f} s", table, silence_s);
    } else if (change.from == Standing::lost) {
      spdlog::info("table {} linked again after {:.1f} s", table, silence_s);
    } else {
      spdlog::info("table {} linked", table);
    }
  }
}

void TurnLog::note(const Controller::Refused& refused, std::chrono::microseconds uptime) {
  const auto second = std::chrono::duration_cast<std::chrono::seconds>(uptime);
  if (second != second_) {
    second_ = second;
    shown_in_second_ = 0;
    if (hidden_count_ > 0) {
      spdlog::warn("{} more refused messages are not shown", std::exchange(hidden_count_, 0));
    }
  }
  if (shown_in_second_ == refusals_per_second_max) {
    ++hidden_count_;
    return;
  }
  ++shown_in_second_;
  if (!refused.act.empty()) {
    spdlog::warn("refused badge={} act={} refusal={}{}", printable(refused.by.text()), refused.act,
                 name(refused.refusal), from_words(refused.from));
    return;
  }
  spdlog::warn("refused source={} table={} number={} refusal={}", printable(refused.source),
               printable(refused.table.text()), refused.number.value(), name(refused.refusal));
}

}  // namespace linkmeter
