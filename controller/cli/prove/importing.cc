#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "controller/accounting/export/import_check.h"
#include "controller/cli/prove/exporting.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/view/json.h"

namespace linkmeter::cli {

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
        {"link", link}, {"level", level}, {"account", account}, {"amount", dollars_text(units)}});
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
  if (options.json) std::cout << all.dump(2) << '\n';
  return is_good ? 0 : 1;
}

}  // namespace linkmeter::cli
