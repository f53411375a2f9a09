#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

#include "controller/cli/commands.h"
#include "controller/clock.h"
#include "controller/moment_text.h"

namespace linkmeter::cli {

namespace {

constexpr std::size_t wins_shown = 8;
constexpr std::chrono::milliseconds picture_interval{500};

// "1,234,567.89"
std::string grouped(std::string digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  for (std::size_t place = point; place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string dollars(Amount amount) { return "$" + grouped(text_cents(amount)); }

void draw_link(std::ostream& out, const State& state, LinkPlace place) {
  const LinkTerms& terms = state.floor().link(place);
  const LinkBook& book = state.link(place);
  std::uint64_t wagers = 0;
  Amount handle;
  for (const TableCount& count : book.tables) {
    wagers += count.wagers;
    handle += count.handle;
  }
  for (std::size_t level = 0; level < book.levels.size(); ++level) {
    const PoolBook& pool = book.levels[level].pool;
    out << std::left << std::setw(14) << (level == 0 ? terms.id.text() : "") << std::setw(8)
        << terms.levels[level].id.text() << std::right << std::setw(16)
        << dollars(pool.held.whole_cents()) << std::setw(9) << text(terms.levels[level].rate)
        << std::setw(16) << dollars(pool.pending) << std::setw(6) << book.levels[level].hits;
    if (level == 0) {
      out << std::setw(13) << grouped(std::to_string(wagers)) << std::setw(16) << dollars(handle)
          << std::setw(7) << book.tables.size();
    }
    out << '\n';
  }
  if (terms.reserve_rate > Rate()) {
    out << std::left << std::setw(14) << "" << std::setw(8) << "reserve" << std::right
        << std::setw(16) << dollars(book.reserve.held.whole_cents()) << std::setw(9)
        << text(terms.reserve_rate) << '\n';
  }
}

void draw_wins(std::ostream& out, const State& state) {
  const std::vector<Claim>& claims = state.claims();
  out << "\nlatest claims (" << claims.size() << " in all)\n";
  const std::size_t first = claims.size() - std::min(claims.size(), wins_shown);
  for (std::size_t index = claims.size(); index > first; --index) {
    const Claim& claim = claims[index - 1];
    const LinkTerms& link = state.floor().link(claim.link);
    const TableTerms& table = state.floor().table(claim.table);
    out << "  " << std::left << std::setw(8) << claim.number.value() << std::setw(10)
        << table.id.text() << std::setw(10) << table.asset << "seat " << std::setw(4)
        << unsigned{claim.seat.value()} << std::setw(14) << link.id.text() << std::setw(18)
        << claim.line.text() << std::setw(8)
        << (claim.level ? link.levels[claim.level->value()].id.text() : "") << std::right
        << std::setw(14) << dollars(claim.amount) << "  "
        << (claim.state == ClaimState::raised ? "pending" : name(claim.state)) << '\n';
  }
}

std::string picture(const State& state) {
  std::ostringstream out;
  out << state.floor().house << "   entry " << grouped(std::to_string(state.last_entry().value()))
      << "   " << text(Clock().now()).substr(0, 19) << "Z\n\n"
      << std::left << std::setw(14) << "link" << std::setw(8) << "level" << std::right
      << std::setw(16) << "meter" << std::setw(9) << "rate" << std::setw(16) << "pending"
      << std::setw(6) << "hits" << std::setw(13) << "wagers" << std::setw(16) << "handle"
      << std::setw(7) << "tables" << '\n';
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    draw_link(out, state, LinkPlace(index));
  }
  draw_wins(out, state);
  return out.str();
}

}  // namespace

int watch(const std::filesystem::path& data, bool once) {
  const bool draws_over = !once && isatty(STDOUT_FILENO) == 1;
  while (true) {
    const std::string drawn = picture(current_state(*open_data(data)));
    std::cout << (draws_over ? "\033[H\033[2J" : "") << drawn << std::flush;
    if (once) return 0;
    std::this_thread::sleep_for(picture_interval);
  }
}

}  // namespace linkmeter::cli
