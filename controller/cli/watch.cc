#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <thread>

#include "controller/cli/commands.h"
#include "controller/data_folder.h"
#include "controller/moment_text.h"
#include "meters/codec/journal_codec.h"

namespace linkmeter::cli {

namespace {

constexpr std::size_t claims_shown = 8;
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
  for (const TableCount& count : book.tables) wagers += count.wagers;
  for (std::size_t level = 0; level < book.levels.size(); ++level) {
    const PoolBook& pool = book.levels[level].pool;
    out << std::left << std::setw(12) << (level == 0 ? terms.id.text() : "") << std::setw(8)
        << terms.levels[level].id.text() << std::right << std::setw(15)
        << dollars(pool.held.whole_cents()) << std::setw(6) << text(terms.levels[level].rate)
        << std::setw(14) << dollars(pool.pending) << std::setw(5) << book.levels[level].hits;
    if (level == 0) {
      out << std::setw(9) << grouped(std::to_string(wagers)) << std::setw(11)
          << dollars(book.handle());
    }
    out << '\n';
  }
  if (book.levels.empty()) {
    out << std::left << std::setw(20) << terms.id.text() << std::right << std::setw(40)
        << "fixed awards, no meter" << std::setw(9) << grouped(std::to_string(wagers))
        << std::setw(11) << dollars(book.handle()) << '\n';
  }
  if (terms.reserve_rate > Rate() || book.reserve.held > Amount()) {
    out << std::left << std::setw(12) << "" << std::setw(8) << "reserve" << std::right
        << std::setw(15) << dollars(book.reserve.held.whole_cents()) << std::setw(6)
        << text(terms.reserve_rate) << '\n';
  }
}

void draw_claims(std::ostream& out, const State& state) {
  const std::vector<Claim>& claims = state.claims();
  out << "\nlatest claims (" << claims.size() << " in all)\n";
  const std::size_t first = claims.size() - std::min(claims.size(), claims_shown);
  std::size_t line_width = 16;
  for (std::size_t index = first; index < claims.size(); ++index) {
    line_width = std::max(line_width, claims[index].line.text().size() + 1);
  }
  for (std::size_t index = claims.size(); index > first; --index) {
    const Claim& claim = claims[index - 1];
    const LinkTerms& link = state.floor().link(claim.link);
    out << "  " << std::left << std::setw(7) << claim.number.value() << std::setw(8)
        << state.floor().table(claim.table).id.text() << "seat " << std::setw(3)
        << unsigned{claim.seat.value()} << std::setw(12) << link.id.text()
        << std::setw(static_cast<int>(line_width)) << claim.line.text() << std::setw(6)
        << (claim.level ? link.levels[claim.level->value()].id.text() : "") << std::right
        << std::setw(12) << dollars(claim.amount) << "  " << name(claim.state) << '\n';
  }
}

// When the last entry was recorded, and whether anybody is there to record the next one.
std::string freshness(const std::filesystem::path& data, const Journal& journal) {
  std::string recorded = "?";
  journal.read(journal.head().entry, [&recorded](const StoredEntry& stored) {
    if (const auto entry = decode_entry(stored.bytes)) recorded = text(entry->recorded_at);
    return false;
  });
  return " of " + recorded.substr(0, recorded.find('.')) + "Z   " +
         (controller_is_running(data) ? "controller running" : "NO CONTROLLER IS RUNNING");
}

// At most 80 columns, but for the longest names of lines.
std::string picture(const std::filesystem::path& data) {
  const auto journal = open_data(data);
  const State state = current_state(*journal);
  std::ostringstream out;
  out << state.floor().house << "   entry " << grouped(std::to_string(state.last_entry().value()))
      << freshness(data, *journal) << "\n\n"
      << std::left << std::setw(12) << "link" << std::setw(8) << "level" << std::right
      << std::setw(15) << "meter" << std::setw(6) << "rate" << std::setw(14) << "pending"
      << std::setw(5) << "hits" << std::setw(9) << "wagers" << std::setw(11) << "handle" << '\n';
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    draw_link(out, state, LinkPlace(index));
  }
  draw_claims(out, state);
  return out.str();
}

}  // namespace

int watch(const std::filesystem::path& data, bool once) {
  const bool draws_over = !once && isatty(STDOUT_FILENO) == 1;
  while (true) {
    const std::string drawn = picture(data);
    std::cout << (draws_over ? "\033[H\033[2J" : "") << drawn << std::flush;
    if (once) return 0;
    std::this_thread::sleep_for(picture_interval);
  }
}

}  // namespace linkmeter::cli
