#include <algorithm>

#include "controller/cli/operate/days.h"
#include "controller/cli/shell/text_table.h"
#include "controller/view/format.h"
#include "controller/view/json.h"

namespace linkmeter::cli {

namespace {

bool is_zero(const std::string& cell) {
  return cell.find_first_not_of("-0.") == std::string::npos && !cell.empty();
}

std::string cell_of(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// A column of a table of the report: zeros are left empty.
struct SheetColumn {
  const char* key;
  const char* head;
  bool is_text = false;
  bool stays = false;  // also where everything in it is zero
};

// Columns in which there is nothing are left out.
std::string sheet_table(const Json& rows, const std::vector<SheetColumn>& columns) {
  if (rows.empty()) return "";
  std::vector<Column> shown;
  for (const SheetColumn& asked : columns) {
    Column column{asked.head, asked.is_text};
    bool is_empty = true;
    for (const Json& row : rows) {
      std::string cell = cell_of(row.at(asked.key));
      const bool is_nothing = cell.empty() || (!asked.is_text && is_zero(cell));
      is_empty = is_empty && is_nothing;
      if (is_nothing && !asked.stays) cell.clear();
      column.cells.push_back(std::move(cell));
    }
    if (!is_empty || asked.stays) shown.push_back(std::move(column));
  }
  std::string all;
  for (const std::string& line : table_lines(shown)) all += "  " + line + "\n";
  return all;
}

// The levels and, as one more, the reserve.
std::string levels_of(const Json& link) {
  Json rows = Json::array();
  for (Json row : link.at("levels")) {
    row["withheld"] = row.at("withheld_closing");
    row["pending"] = row.at("pending_closing");
    rows.push_back(std::move(row));
  }
  const Json& reserve = link.at("reserve");
  Json row = Json{{"level", "reserve"}};
  const auto is_nothing = std::all_of(reserve.begin(), reserve.end(), [](const Json& amount) {
    return is_zero(amount.get<std::string>());
  });
  if (!is_nothing) {
    for (const char* key :
         {"opening", "contributed", "corrected", "transferred", "closing", "liability"}) {
      row[key] = reserve.at(key);
    }
    row["withheld"] = reserve.at("withheld_closing");
    for (const char* key :
         {"seeded", "awarded", "returned", "pending", "paid", "hits", "partial_hits"}) {
      row[key] = "";
    }
    const auto turned = [](const std::string& amount) {
      if (is_zero(amount)) return amount;
      return amount.starts_with('-') ? amount.substr(1) : "-" + amount;
    };
    row["from_reserve"] = turned(reserve.at("to_levels"));
    row["overflowed"] = turned(reserve.at("overflow"));
    rows.push_back(std::move(row));
  }
  return sheet_table(rows, {{"level", "level", true},
                            {"opening", "opening", false, true},
                            {"contributed", "contributed"},
                            {"seeded", "seeded"},
                            {"from_reserve", "from reserve"},
                            {"overflowed", "overflowed"},
                            {"corrected", "corrected"},
                            {"transferred", "transferred"},
                            {"awarded", "awarded"},
                            {"returned", "returned"},
                            {"closing", "closing", false, true},
                            {"withheld", "withheld"},
                            {"pending", "pending"},
                            {"paid", "paid"},
                            {"hits", "hits"},
                            {"partial_hits", "partial"},
                            {"liability", "liability"}});
}

// Tables at which nothing was played are not in the way.
std::string tables_of(const Json& link) {
  Json rows = Json::array();
  for (const Json& row : link.at("tables")) {
    const bool is_quiet = row.at("rounds") == 0 && row.at("wagers") == 0 &&
                          is_zero(row.at("handle")) && is_zero(row.at("progressive_paid"));
    if (!is_quiet) rows.push_back(row);
  }
  return sheet_table(rows, {{"table", "table", true},
                            {"rounds", "rounds"},
                            {"wagers", "wagers"},
                            {"handle", "handle"},
                            {"attendant_paid", "attendant paid"},
                            {"device_paid", "device paid"},
                            {"progressive_paid", "progressive paid"}});
}

std::string fixed_of(const Json& fixed) {
  std::string all;
  const auto say = [&all, &fixed](const char* count, const char* amount, const char* what) {
    if (fixed.at(count) == 0) return;
    all += (all.empty() ? "  fixed awards: " : ", ") + fixed.at(count).dump() + " " + what + " " +
           cell_of(fixed.at(amount));
  };
  say("count", "amount", "paid at once");
  say("reversed_count", "reversed", "reversed");
  say("claim_count", "claimed", "as claims");
  return all.empty() ? all : all + "\n";
}

// Of a fund of pots: boxes, what came to the cage, and the display.
std::string fund_of(const Json& link) {
  if (!link.contains("fund")) return "";
  const Json& fund = link.at("fund");
  Json boxes = Json::array(), transfers = Json::array();
  for (const Json& box : fund.at("boxes")) {
    if (box.at("pots") != 0 || !box.at("counted").is_null()) boxes.push_back(box);
  }
  for (Json moved : fund.at("transfers")) {
    std::string tables;
    for (const Json& table : moved.at("tables")) {
      tables += (tables.empty() ? "" : " ") + cell_of(table);
    }
    moved["of"] = tables + (moved.at("stands").get<bool>() ? "" : " (said again)");
    if (moved.at("verified").is_null()) moved["verified"] = "boxes";
    transfers.push_back(std::move(moved));
  }
  return sheet_table(boxes, {{"table", "box of", true},
                             {"contributed", "contributed", false, true},
                             {"counted", "counted", false, true},
                             {"difference", "difference"},
                             {"by", "by", true},
                             {"witness", "before", true},
                             {"transfer", "to the cage with entry"}}) +
         sheet_table(transfers, {{"of", "to the cage", true},
                                 {"entry", "entry"},
                                 {"counted", "counted", false, true},
                                 {"verified", "verified", false, true},
                                 {"difference", "difference"},
                                 {"by", "by", true},
                                 {"carried_by", "carried by", true},
                                 {"accounted_by", "accounted for by", true}}) +
         sheet_table(fund.at("displays"), {{"at", "display held", true},
                                           {"shown", "shown", false, true},
                                           {"kept", "kept", false, true},
                                           {"difference", "difference"},
                                           {"by", "by", true},
                                           {"witness", "before", true}});
}

std::string sheet_items(const Json& items, bool open) {
  std::string all;
  for (const Json& item : items) {
    if (item.at("open").get<bool>() != open) continue;
    all += "  " + cell_of(item.at("item")) + ": " + cell_of(item.at("difference")) + "\n    " +
           cell_of(item.at("words")) + "\n";
    if (open) continue;
    const Json& explained = item.at("explained");
    all += "    explained by " + cell_of(explained.at("by")) + ": " + cell_of(explained.at("note"));
    if (!explained.at("corrected_by").is_null()) {
      all += ", put right by entry " + explained.at("corrected_by").dump();
    }
    all += "\n";
  }
  return all;
}

std::string sheet_part(const std::string& title, const std::string& lines) {
  return lines.empty() ? "" : "\n" + title + "\n" + lines;
}

std::string sheet_head(const Json& report, const DayReport& made, const std::string& zone) {
  const std::string hours =
      report.at("hours").is_null() ? "" : report.at("hours").dump() + " hours";
  std::string all = cell_of(report.at("house")) + ", gaming day " + cell_of(report.at("day"));
  all += "\n" + (report.at("begins_at").is_null() ? "" : cell_of(report.at("begins_at")) + " to ") +
         cell_of(report.at("ends_at")) + (hours.empty() ? "" : ", " + hours) +
         (zone.empty() ? "" : " in " + zone) + ", entries " +
         report.at("entries").at("first").dump() + " to " + report.at("entries").at("last").dump() +
         "\n";
  const auto open = std::count_if(made.finding.items.begin(), made.finding.items.end(),
                                  [](const auto& item) { return item.second.is_open; });
  if (open == 0) return all + "\nNothing is open.\n";
  return all + "\n" + std::to_string(open) + (open == 1 ? " item is" : " items are") + " OPEN\n" +
         sheet_items(report.at("items"), true);
}

}  // namespace

std::string day_sheet(const DayReport& made, const std::string& zone) {
  const Json report = Json::parse(made.json);
  std::string all = sheet_head(report, made, zone);
  all += sheet_part("explained", sheet_items(report.at("items"), false));
  for (const Json& link : report.at("links")) {
    const std::string suspended = cell_of(link.at("suspended"));
    all += sheet_part(
        cell_of(link.at("link")) + "  " + cell_of(link.at("wager")) +
            (suspended.empty() ? "" : "  SUSPENDED: " + suspended),
        levels_of(link) + tables_of(link) + fixed_of(link.at("fixed_awards")) + fund_of(link));
  }
  all += sheet_part("claims pending at the end",
                    sheet_table(report.at("claims_pending"), {{"claim", "claim", true},
                                                              {"state", "state", true},
                                                              {"link", "link", true},
                                                              {"table", "table", true},
                                                              {"line", "line", true},
                                                              {"raised_at", "raised", true},
                                                              {"amount", "amount"}}));
  all += sheet_part("counted",
                    sheet_table(report.at("counts"), {{"kind", "what", true},
                                                      {"link", "link", true},
                                                      {"table", "table", true},
                                                      {"by", "by", true},
                                                      {"witness", "before", true},
                                                      {"amount", "amount", false, true},
                                                      {"expected", "expected", false, true}}));
  all += sheet_part("what happened", sheet_table(report.at("events"), {{"at", "at", true},
                                                                       {"entry", "entry"},
                                                                       {"kind", "what", true},
                                                                       {"words", "", true}}));
  return all;
}

}  // namespace linkmeter::cli
