#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "controller/accounting/export/export_file.h"
#include "controller/accounting/export/export_text.h"
#include "controller/accounting/export/import_check.h"
#include "controller/cli/prove/exporting.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/declaring.h"
#include "controller/cli/shell/progress.h"
#include "controller/cli/shell/text_table.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/entry_json.h"
#include "controller/view/json.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

namespace {

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

void export_part(const Journal& journal, const State& state, const ExportRequest& asked) {
  const ExportRange range = export_range(asked, state);
  Progress progress("export", range.last.value(), "entries");
  ExportText text(asked, state, first_day_text(journal, state));
  ExportTotals totals;
  put_out(text.head());
  read_between(journal, range.first, range.last, [&](const Entry& entry, const Digest& hash) {
    put_out(text.of(entry, hash, totals));
    progress.show(entry.number.value());
  });
  put_out(text.end(totals));
}

}  // namespace

int export_journal(const ExportOptions& options) {
  ExportRequest asked{options.format, {}, options.link, options.from, options.to};
  if (!options.day.empty()) asked.day = parse_gaming_day(options.day);
  const auto journal = open_data(options.data);
  if (options.out.empty()) {
    if (asked == ExportRequest{}) {
      export_whole(*journal);
    } else {
      const State state = current_state(*journal);
      export_part(*journal, state, asked);
    }
    put_out("");
    std::cout.flush();
    if (!std::cout) throw Fault("standard output cannot be written");
    return 0;
  }
  const State state = current_state(*journal);
  ExportTotals totals;
  {
    Progress progress("export", export_range(asked, state).last.value(), "entries");
    totals = export_to_file(*journal, state, asked, options.out, options.replaces,
                            [&progress](std::uint64_t entry) { progress.show(entry); });
  }
  std::cerr << options.out.string() << ": " << totals.rows << " rows, entries "
            << totals.first.value() << " to " << totals.last.value() << '\n';
  return 0;
}

void declare_exports(CLI::App& app, ExportOptions& options, std::function<int()>& work) {
  CLI::App* out = app.add_subcommand(
      "export",
      "Export the journal as JSON Lines, one entry each, with postings and hash; or as CSV");
  out->add_option("--data", options.data, "The data folder")->required();
  out->add_option("--format", options.format, "entries (JSON Lines), postings or ledger (CSV)")
      ->check(CLI::IsMember({"entries", "postings", "ledger"}))
      ->capture_default_str();
  out->add_option("--day", options.day, "Only this gaming day, e.g. 2026-11-21")
      ->check(read_by(parse_gaming_day, "a date as 2026-11-21"));
  out->add_option("--link", options.link, "Only what concerns this link");
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
  out->callback([&options, &work] { work = [&options] { return export_journal(options); }; });

  CLI::App* in = app.add_subcommand(
      "import", "Check exported files against their totals, and against the journal");
  in->add_option("files", options.files, "The files, each beside its .totals.json")->required();
  in->add_flag("--check", options.check, "Check only; required")->required();
  in->add_option("--data", options.data, "The data folder; without it, checks the files alone");
  in->add_flag("--json", options.json, "Print one JSON document");
  in->callback([&options, &work] { work = [&options] { return check_imports(options); }; });
}

namespace {

ImportCheck check_one(const std::filesystem::path& file, const ExportOptions& options) {
  if (options.data.empty()) return check_import(file);
  const auto journal = open_data(options.data);
  const State state = current_state(*journal);
  Progress progress("import", journal->head().entry.value(), "entries");
  return check_import(file, *journal, state,
                      [&progress](std::uint64_t entry) { progress.show(entry); });
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
              {"format", "linkmeter-" + check.told.asked.format},
              {"rows", check.told.totals.rows},
              {"first_entry", check.told.totals.first.value()},
              {"last_entry", check.told.totals.last.value()},
              {"sha256", check.told.sha256},
              {"balances", std::move(balances)}};
}

}  // namespace

int check_imports(const ExportOptions& options) {
  Json all = Json::array();
  bool is_good = true;
  for (const std::filesystem::path& file : options.files) {
    const ImportCheck check = check_one(file, options);
    is_good = is_good && check.why.empty();
    if (options.json) {
      all.push_back(check_json(file, check));
    } else if (check.why.empty()) {
      std::cout << file.string() << ": good: " << check.told.totals.rows << " rows, entries "
                << check.told.totals.first.value() << " to " << check.told.totals.last.value()
                << (options.data.empty() ? "" : ", as the journal has them") << '\n';
    }
    if (!check.why.empty()) {
      std::cerr << "linkmeter: " << file.string() << ": " << check.why << '\n';
    }
  }
  if (options.json) print_json(all);
  return is_good ? 0 : 1;
}

}  // namespace linkmeter::cli
