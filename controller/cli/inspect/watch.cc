#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <optional>
#include <sstream>
#include <thread>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/operator_client.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/data_folder.h"
#include "controller/time/time_text.h"
#include "controller/view/format.h"
#include "proto/codec/journal_codec.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

constexpr std::size_t claims_shown = 8;
constexpr std::chrono::milliseconds picture_interval{500};
constexpr std::chrono::milliseconds status_patience{1'000};

using Lines = std::vector<std::string>;

struct LinkColumns {
  Column link{"link", true}, level{"level", true}, meter{"meter"}, rate{"rate"}, pending{"pending"},
      hits{"hits"}, wagers{"wagers"}, handle{"handle"};

  void add(const std::array<std::string, 8>& row) {
    std::size_t at = 0;
    for (Column* column : {&link, &level, &meter, &rate, &pending, &hits, &wagers, &handle}) {
      column->cells.push_back(row[at++]);
    }
  }
};

void add_link(const State& state, LinkIndex place, LinkColumns& columns) {
  const LinkConfig& terms = state.floor().link(place);
  const LinkBalances& book = state.link(place);
  std::uint64_t wager_count = 0;
  for (const TableCount& count : book.tables) wager_count += count.wagers;
  const std::string wagers = grouped(std::to_string(wager_count));
  const std::string handle = money_text(book.handle());
  Amount withheld = book.reserve.withheld;
  for (std::size_t level = 0; level < book.levels.size(); ++level) {
    const PoolBalances& pool = book.levels[level].pool;
    const bool is_first = level == 0;
    withheld += pool.withheld;
    columns.add({is_first ? terms.id.text() : "", terms.levels[level].id.text(),
                 money_text(pool.held), text(terms.levels[level].rate), money_text(pool.pending),
                 std::to_string(book.levels[level].hits), is_first ? wagers : "",
                 is_first ? handle : ""});
  }
  if (book.levels.empty()) {
    columns.add({terms.id.text(), "", "fixed awards", "", "", "", wagers, handle});
  }
  if (!book.suspended.empty()) {
    columns.add({"", "SUSPENDED: " + book.suspended, "", "", "", "", "", ""});
  }
  if (terms.reserve_rate > Rate() || book.reserve.held > Amount()) {
    columns.add(
        {"", "reserve", money_text(book.reserve.held), text(terms.reserve_rate), "", "", "", ""});
  }
  if (withheld > Amount()) columns.add({"", "withheld", money_text(withheld), "", "", "", "", ""});
}

// The head, then every link.
Lines link_lines(const State& state) {
  LinkColumns all;
  for (std::uint32_t index = 0; index < state.floor().links.size(); ++index) {
    add_link(state, LinkIndex(index), all);
  }
  return table_lines(
      {all.link, all.level, all.meter, all.rate, all.pending, all.hits, all.wagers, all.handle});
}

// The latest first.
Lines claim_lines(const State& state, std::size_t count_max) {
  const std::vector<Claim>& claims = state.claims();
  Column number{"", true}, table{"", true}, seat{"", true}, link{"", true}, line{"", true},
      level{"", true}, amount{""}, stands{"", true};
  const std::size_t count = std::min(claims.size(), count_max);
  for (std::size_t index = claims.size(); index > claims.size() - count; --index) {
    const Claim& claim = claims[index - 1];
    const LinkConfig& terms = state.floor().link(claim.link);
    number.cells.push_back("  " + std::to_string(claim.number.value()));
    table.cells.push_back(state.floor().table(claim.table).id.text());
    seat.cells.push_back("seat " + std::to_string(claim.seat.value()));
    link.cells.push_back(terms.id.text());
    line.cells.push_back(claim.line.text());
    level.cells.push_back(claim.level ? terms.levels[claim.level->value()].id.text() : "");
    amount.cells.push_back(money_text(claim.amount));
    stands.cells.emplace_back(name(claim.state));
  }
  Lines lines = table_lines({number, table, seat, link, line, level, amount, stands});
  lines.front() = "latest claims (" + std::to_string(claims.size()) + " in all)";
  return lines;
}

// At the socket only a controller gives a state.
bool has_controller(const Source& from) {
  return from.is_socket() || controller_is_running(from.data);
}

// When the last entry was recorded, and whether anybody is there to record the next one.
std::string freshness(const Source& from, const Journal& journal) {
  std::string recorded = "?";
  journal.read(journal.head().entry, [&recorded](const StoredEntry& stored) {
    if (const auto entry = decode_entry(stored.bytes)) recorded = text(entry->recorded_at);
    return false;
  });
  return " of " + recorded.substr(0, recorded.find('.')) + "Z   " +
         (has_controller(from) ? "controller running" : "NO CONTROLLER IS RUNNING");
}

// "tables: 12 linked, 1 LOST (C4-01 since 14:05:09Z), 1 never seen (P-01)"; nothing if no
// controller tells.
Lines table_line(const Source& from) {
  constexpr std::size_t names_max = 6;
  if (!has_controller(from)) return {};
  std::array<std::size_t, 4> counts{};
  std::array<std::string, 4> names{};
  try {
    for (const TableLinkStatus& one : ask_status(from, status_patience).tables) {
      const auto at = static_cast<std::size_t>(one.standing);
      if (++counts.at(at) > names_max) continue;
      names.at(at) += (counts.at(at) == 1 ? "" : ", ") + one.table.text();
      if (one.standing == TableLinkState::lost) {
        const std::string since = text(one.since);
        names.at(at) += " since " + since.substr(11, 8) + "Z";
      }
    }
  } catch (const Fault& fault) {
    return {"", std::string("tables: ") + fault.what()};
  }
  const auto told = [&](TableLinkState standing, const std::string& words) {
    const auto at = static_cast<std::size_t>(standing);
    if (counts.at(at) == 0) return std::string();
    const std::string more = counts.at(at) > names_max ? ", ..." : "";
    return ", " + std::to_string(counts.at(at)) + words + " (" + names.at(at) + more + ")";
  };
  return {"",
          "tables: " + std::to_string(counts.at(static_cast<std::size_t>(TableLinkState::linked))) +
              " linked" + told(TableLinkState::lost, " LOST") +
              told(TableLinkState::not_seen, " not seen since the start") +
              told(TableLinkState::never_seen, " never seen")};
}

// Cuts lines to `count_max`; the last one then says how many are not there.
void cut(Lines& lines, std::size_t count_max) {
  if (lines.size() <= count_max) return;
  const std::size_t kept = count_max == 0 ? 0 : count_max - 1;
  const std::size_t left_out = lines.size() - kept;
  lines.resize(kept);
  lines.push_back("... " + std::to_string(left_out) + " more");
}

// `rows`: of the window, if it is one: first claims are left out, then links.
std::string picture(const Source& from, std::optional<std::size_t> rows, const std::string& note) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  Lines links = link_lines(state);
  Lines claims = claim_lines(state, claims_shown);
  const Lines tables = table_line(from);
  // The first line, two empty ones, the cursor's.
  const std::size_t note_rows =
      note.empty() ? 0 : 1 + static_cast<std::size_t>(std::count(note.begin(), note.end(), '\n'));
  const std::size_t other_rows = 4 + tables.size() + note_rows;
  if (rows) {
    const std::size_t room = *rows > other_rows ? *rows - other_rows : 0;
    cut(claims, std::max<std::size_t>(room > links.size() ? room - links.size() : 0, 2));
    cut(links, std::max<std::size_t>(room > claims.size() ? room - claims.size() : 0, 2));
  }
  std::ostringstream out;
  out << state.floor().house << "   entry " << grouped(std::to_string(state.last_entry().value()))
      << freshness(from, *journal) << '\n'
      << note << (note.empty() ? "\n" : "\n\n");
  for (const std::string& line : links) out << line << '\n';
  for (const std::string& line : tables) out << line << '\n';
  out << '\n';
  for (const std::string& line : claims) out << line << '\n';
  return out.str();
}

std::optional<std::size_t> window_rows() {
  winsize window{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_row == 0) return std::nullopt;
  return window.ws_row;
}

}  // namespace

int watch(const Source& from, bool once, const std::string& note) {
  const bool draws_over = !once && isatty(STDOUT_FILENO) == 1;
  while (true) {
    const std::string drawn = picture(from, draws_over ? window_rows() : std::nullopt, note);
    std::cout << (draws_over ? "\033[H\033[2J" : "") << drawn << std::flush;
    if (once) return 0;
    std::this_thread::sleep_for(picture_interval);
  }
}

}  // namespace linkmeter::cli
