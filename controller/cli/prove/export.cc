#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "controller/accounting/export/export_file.h"
#include "controller/accounting/export/export_text.h"
#include "controller/accounting/export/import_check.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/entry_json.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

namespace {

struct ExportOptions {
  std::filesystem::path out;
  std::string format = "entries";
  std::uint64_t from = 0, to = 0;
  bool replaces = false;
  std::vector<std::filesystem::path> files;
  bool check = false;
};

void put_out(const std::string& text) {
  std::cout << text;
  if (!std::cout) throw Fault("standard output cannot be written");
}

// Exports everything from the journal alone, also if the stored state cannot be read.
void export_whole(const Journal& journal) {
  const EntryNumber head = journal.head().entry;
  Progress progress("export", head.value(), "entries");
  Floor floor;
  read_between(journal, EntryNumber(1), head, [&](const Entry& entry, const Digest& hash) {
    if (auto configuration = configuration_of(entry)) floor = std::move(configuration->floor);
    put_out(entry_json(entry, floor, hash) + "\n");
    progress.show(entry.number.value());
  });
}

void export_part(const Journal& journal, const State& state, const ExportRequest& request) {
  const ExportRange range = export_range(request, state);
  Progress progress("export", range.last.value(), "entries");
  ExportText text(request, state, first_day_text(journal, state));
  ExportTotals totals;
  put_out(text.head());
  read_between(journal, range.first, range.last, [&](const Entry& entry, const Digest& hash) {
    put_out(text.of(entry, hash, totals));
    progress.show(entry.number.value());
  });
  put_out(text.end(totals));
}

// Writes to standard output, or to a file with its totals.
int export_journal(const CommandOptions& given, const ExportOptions& options) {
  ExportRequest request{options.format, {}, given.link, options.from, options.to};
  if (!given.day.empty()) request.day = given.gaming_day();
  const auto journal = open_data(given.from.data);
  if (options.out.empty()) {
    if (request == ExportRequest{}) {
      export_whole(*journal);
    } else {
      const State state = current_state(*journal);
      export_part(*journal, state, request);
    }
    put_out("");
    std::cout.flush();
    if (!std::cout) throw Fault("standard output cannot be written");
    return 0;
  }
  const State state = current_state(*journal);
  const ExportTotals totals = export_to_file(
      *journal, state, request, options.out, options.replaces,
      Progress("export", export_range(request, state).last.value(), "entries").callback());
  std::cerr << options.out.string() << ": " << totals.rows << " rows, entries "
            << totals.first.value() << " to " << totals.last.value() << '\n';
  return 0;
}

ImportCheck check_one(const std::filesystem::path& file, const std::filesystem::path& data) {
  if (data.empty()) return check_import(file);
  const auto journal = open_data(data);
  const State state = current_state(*journal);
  return check_import(file, *journal, state,
                      Progress("import", journal->head().entry.value(), "entries").callback());
}

Json check_json(const std::filesystem::path& file, const ImportCheck& check) {
  Json balances = Json::array();
  for (const auto& [place, units] : check.balances) {
    const auto& [link, level, account] = place;
    balances.push_back(Json{
        {"link", link}, {"level", level}, {"account", account}, {"amount", text_exact(units)}});
  }
  return Json{{"file", file.string()},
              {"good", check.why.empty()},
              {"why", text_or_null(check.why)},
              {"format", "linkmeter-" + check.stated.asked.format},
              {"rows", check.stated.totals.rows},
              {"first_entry", check.stated.totals.first.value()},
              {"last_entry", check.stated.totals.last.value()},
              {"sha256", check.stated.sha256},
              {"balances", std::move(balances)}};
}

// Exit 1 if a file does not match its totals or the journal.
int check_imports(const CommandOptions& given, const ExportOptions& options) {
  Json all = Json::array();
  bool is_good = true;
  for (const std::filesystem::path& file : options.files) {
    const ImportCheck check = check_one(file, given.from.data);
    is_good = is_good && check.why.empty();
    if (given.json) {
      all.push_back(check_json(file, check));
    } else if (check.why.empty()) {
      std::cout << file.string() << ": good: " << check.stated.totals.rows << " rows, entries "
                << check.stated.totals.first.value() << " to " << check.stated.totals.last.value()
                << (given.from.data.empty() ? "" : ", as the journal has them") << '\n';
    }
    if (!check.why.empty()) {
      std::cerr << "linkmeter: " << file.string() << ": " << check.why << '\n';
    }
  }
  if (given.json) print_json(all);
  return is_good ? 0 : 1;
}

}  // namespace

void declare_export(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  auto& options = declare.own<ExportOptions>();
  CLI::App* out = declare.command(
      app, "export",
      "Export the journal as JSON Lines, one entry each, with postings and hash; or as CSV",
      [&given, &options] { return export_journal(given, options); });
  declare.takes_data(out);
  out->add_option("--format", options.format, "entries (JSON Lines), postings or ledger (CSV)")
      ->check(CLI::IsMember({"entries", "postings", "ledger"}))
      ->capture_default_str();
  out->add_option("--day", given.day, "Only this gaming day, e.g. 2026-11-21")
      ->check(read_by(parse_gaming_day, "a date as 2026-11-21"));
  out->add_option("--link", given.link, "Only what concerns this link");
  out->add_option("--from", options.from, "From this entry on")
      ->transform(a_number(1, std::uint64_t{1} << 62U));
  out->add_option("--to", options.to, "Up to this entry")
      ->transform(a_number(1, std::uint64_t{1} << 62U));
  auto* file =
      out->add_option("--out", options.out,
                      "Write FILE, and FILE.totals.json; neither changes before all is written");
  out->add_flag("--force", options.replaces, "Replace FILE if it exists")->needs(file);
  out->footer(
      "Amounts in CSV are whole numbers of 10^-8 dollar. A text that could be a formula has an\n"
      "apostrophe before it, which is not part of it. A ledger's credit is what a level holds or\n"
      "has paid; its debit is where the money came from.");

  CLI::App* in = declare.command(
      app, "import", "Check exported files against their totals, and against the journal",
      [&given, &options] { return check_imports(given, options); });
  in->add_option("files", options.files, "The files, each beside its .totals.json")->required();
  in->add_flag("--check", options.check, "Check only; required")->required();
  in->add_option("--data", given.from.data, "The data folder; without it, checks the files alone");
  declare.takes_json(in);
}

}  // namespace linkmeter::cli
