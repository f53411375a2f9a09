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
#include "controller/store/data_folder.h"
#include "controller/store/journal_reader.h"
#include "controller/view/claim_json.h"
#include "controller/view/meters_json.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

constexpr std::size_t claims_shown = 8;
constexpr std::chrono::milliseconds picture_interval{500};
constexpr std::chrono::milliseconds status_patience{1'000};

using Lines = std::vector<std::string>;

Amount amount_of(const Json& text) { return parse_exact(text.get<std::string>()).value(); }

// The levels of a link; then, where there is something to tell, its suspension, reserve and
// withheld amount.
void add_link(const Json& link, Json& rows) {
  std::uint64_t wagers = 0;
  Amount handle;
  for (const Json& table : link.at("tables")) {
    wagers += table.at("wagers").get<std::uint64_t>();
    handle += amount_of(table.at("handle"));
  }
  Amount withheld = amount_of(link.at("reserve_withheld"));
  const std::size_t first = rows.size();
  for (const Json& level : link.at("levels")) {
    withheld += amount_of(level.at("withheld"));
    rows.push_back(Json{{"level", level.at("level")},
                        {"meter", money_cell(level.at("amount"))},
                        {"rate", level.at("rate")},
                        {"pending", money_cell(level.at("pending"))},
                        {"hits", level.at("hits")}});
  }
  if (rows.size() == first) rows.push_back(Json{{"meter", "fixed awards"}});
  rows[first]["link"] = link.at("link");
  rows[first]["wagers"] = grouped(std::to_string(wagers));
  rows[first]["handle"] = money_text(handle);
  if (link.at("status") == "suspended") {
    rows.push_back(Json{{"level", "SUSPENDED: " + plain_cell(link.at("reason"))}});
  }
  if (link.at("reserve_rate") != text(Rate()) || amount_of(link.at("reserve")) > Amount()) {
    rows.push_back(Json{{"level", "reserve"},
                        {"meter", money_cell(link.at("reserve"))},
                        {"rate", link.at("reserve_rate")}});
  }
  if (withheld > Amount()) {
    rows.push_back(Json{{"level", "withheld"}, {"meter", money_text(withheld)}});
  }
}

// The titles, then every link.
Lines link_lines(const State& state) {
  Json rows = Json::array();
  const Json meters = meters_json(state);
  for (const Json& link : meters.at("links")) add_link(link, rows);
  return table_lines(rows, {left("link"), left("level"), right("meter"), right("rate"),
                            right("pending"), right("hits"), right("wagers"), right("handle")});
}

// The latest first.
Lines claim_lines(const State& state, std::size_t count_max) {
  const std::vector<Claim>& claims = state.claims();
  Json rows = Json::array();
  const std::size_t count = std::min(claims.size(), count_max);
  for (std::size_t index = claims.size(); index > claims.size() - count; --index) {
    rows.push_back(claim_json(state, claims[index - 1], nullptr));
  }
  const auto number = [](const Json& claim) { return "  " + plain_cell(claim); };
  const auto seat = [](const Json& claim) { return "seat " + plain_cell(claim); };
  Lines lines =
      table_lines(rows, {left("", "claim", number), left("", "table"), left("", "seat", seat),
                         left("", "link"), left("", "line"), left("", "level"),
                         right("", "amount", money_cell), left("", "state")});
  lines.front() = "latest claims (" + std::to_string(claims.size()) + " in all)";
  return lines;
}

// A state from the socket comes from a running controller.
bool has_controller(const Source& from) {
  return from.is_socket() || controller_is_running(from.data);
}

// When the last entry was recorded, and whether a controller is running.
std::string freshness(const Source& from, const Journal& journal) {
  const std::optional<Entry> last = find_entry(journal, journal.head().entry);
  const std::string recorded = last ? text_seconds(last->recorded_at) : "?Z";
  return " of " + recorded + "   " +
         (has_controller(from) ? "controller running" : "NO CONTROLLER IS RUNNING");
}

// "tables: 12 linked, 1 LOST (C4-01 since 14:05:09Z), 1 never seen (P-01)"; empty if no
// controller is running.
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
        names.at(at) += " since " + text_seconds(one.since).substr(11);
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

// Cuts the lines to `count_max`; the last line then gives the number of the others.
void cut(Lines& lines, std::size_t count_max) {
  if (lines.size() <= count_max) return;
  const std::size_t kept = count_max == 0 ? 0 : count_max - 1;
  const std::size_t left_out = lines.size() - kept;
  lines.resize(kept);
  lines.push_back("... " + std::to_string(left_out) + " more");
}

// `rows`: the height of the window, if there is one: first claims are left out, then links.
std::string picture(const Source& from, std::optional<std::size_t> rows, const std::string& note) {
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  Lines links = link_lines(state);
  Lines claims = claim_lines(state, claims_shown);
  const Lines tables = table_line(from);
  // The first line, two empty ones, and the cursor's line.
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

// A live table of meters, rates, wagers and wins, redrawn on a terminal.
int watch(const Source& from, bool once, const std::string& note) {
  const bool draws_over = !once && isatty(STDOUT_FILENO) == 1;
  while (true) {
    const std::string drawn = picture(from, draws_over ? window_rows() : std::nullopt, note);
    std::cout << (draws_over ? "\033[H\033[2J" : "") << drawn << std::flush;
    if (once) return 0;
    std::this_thread::sleep_for(picture_interval);
  }
}

}  // namespace

void print_meters(const Source& from) { watch(from, /*once=*/true, /*note=*/""); }

void declare_watch(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  bool& once = declare.own<bool>();
  CLI::App* watching =
      app.add_subcommand("watch", "A live table of meters, rates, wagers and wins");
  takes_source(watching, given.from);
  watching->callback([&declare, &given, &once] {
    require_source(given.from);
    declare.work = [&given, &once] { return watch(given.from, once, given.note); };
  });
  watching->add_flag("--once", once, "Print it once and end");
  declare.takes_note(watching, "A text below the first line");
}

}  // namespace linkmeter::cli
