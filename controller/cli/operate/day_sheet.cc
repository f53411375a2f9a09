#include "controller/cli/operate/day_sheet.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "controller/cli/shell/text_table.h"
#include "controller/view/json.h"

namespace linkmeter::cli {

namespace {

// Columns of the report's tables. A column that `stays` shows zeros; in other columns of figures
// they are empty. Empty columns are left out, unless they stay.
Column words(std::string title, std::string key) {
  return {std::move(title), std::move(key), Align::left, plain_cell, /*is_optional=*/true};
}
Column words(const std::string& title) { return words(title, title); }
Column figure(std::string title, std::string key) {
  return {std::move(title), std::move(key), Align::right, nonzero_cell, /*is_optional=*/true};
}
Column figure(const std::string& title) { return figure(title, title); }
Column stays(const std::string& title) { return right(title); }

std::string sheet_table(const Json& rows, const std::vector<Column>& columns) {
  if (rows.empty()) return "";
  std::string all;
  for (const std::string& line : table_lines(rows, columns)) all += "  " + line + "\n";
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
  return sheet_table(
      rows, {words("level"), stays("opening"), figure("contributed"), figure("seeded"),
             figure("from reserve", "from_reserve"), figure("overflowed"), figure("corrected"),
             figure("transferred"), figure("awarded"), figure("returned"), stays("closing"),
             figure("withheld"), figure("pending"), figure("paid"), figure("hits"),
             figure("partial", "partial_hits"), figure("liability")});
}

// Tables with play only.
std::string tables_of(const Json& link) {
  Json rows = Json::array();
  for (const Json& row : link.at("tables")) {
    const bool is_quiet = row.at("rounds") == 0 && row.at("wagers") == 0 &&
                          is_zero(row.at("handle")) && is_zero(row.at("progressive_paid"));
    if (!is_quiet) rows.push_back(row);
  }
  return sheet_table(
      rows, {words("table"), figure("rounds"), figure("wagers"), figure("handle"),
             figure("attendant paid", "attendant_paid"), figure("device paid", "device_paid"),
             figure("progressive paid", "progressive_paid")});
}

std::string fixed_of(const Json& fixed) {
  std::string all;
  const auto say = [&all, &fixed](const char* count, const char* amount, const char* what) {
    if (fixed.at(count) == 0) return;
    all += (all.empty() ? "  fixed awards: " : ", ") + fixed.at(count).dump() + " " + what + " " +
           plain_cell(fixed.at(amount));
  };
  say("count", "amount", "paid at once");
  say("reversed_count", "reversed", "reversed");
  say("claim_count", "claimed", "as claims");
  return all.empty() ? all : all + "\n";
}

// For a fund of pots: boxes, transfers to the cage, and checks of the display.
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
      tables += (tables.empty() ? "" : " ") + plain_cell(table);
    }
    moved["of"] = tables + (moved.at("stands").get<bool>() ? "" : " (said again)");
    if (moved.at("verified").is_null()) moved["verified"] = "boxes";
    transfers.push_back(std::move(moved));
  }
  return sheet_table(boxes, {words("box of", "table"), stays("contributed"), stays("counted"),
                             figure("difference"), words("by"), words("before", "witness"),
                             figure("to the cage with entry", "transfer")}) +
         sheet_table(transfers, {words("to the cage", "of"), figure("entry"), stays("counted"),
                                 stays("verified"), figure("difference"), words("by"),
                                 words("carried by", "carried_by"),
                                 words("accounted for by", "accounted_by")}) +
         sheet_table(fund.at("displays"),
                     {words("display held", "at"), stays("shown"), stays("kept"),
                      figure("difference"), words("by"), words("before", "witness")});
}

std::string sheet_items(const Json& items, bool open) {
  std::string all;
  for (const Json& item : items) {
    if (item.at("open").get<bool>() != open) continue;
    all += "  " + plain_cell(item.at("item")) + ": " + plain_cell(item.at("difference")) +
           "\n    " + plain_cell(item.at("words")) + "\n";
    if (open) continue;
    const Json& explained = item.at("explained");
    all += "    explained by " + plain_cell(explained.at("by")) + ": " +
           plain_cell(explained.at("note"));
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
  std::string all = plain_cell(report.at("house")) + ", gaming day " + plain_cell(report.at("day"));
  all +=
      "\n" + (report.at("begins_at").is_null() ? "" : plain_cell(report.at("begins_at")) + " to ") +
      plain_cell(report.at("ends_at")) + (hours.empty() ? "" : ", " + hours) +
      (zone.empty() ? "" : " in " + zone) + ", entries " + report.at("entries").at("first").dump() +
      " to " + report.at("entries").at("last").dump() + "\n";
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
    const std::string suspended = plain_cell(link.at("suspended"));
    all += sheet_part(
        plain_cell(link.at("link")) + "  " + plain_cell(link.at("wager")) +
            (suspended.empty() ? "" : "  SUSPENDED: " + suspended),
        levels_of(link) + tables_of(link) + fixed_of(link.at("fixed_awards")) + fund_of(link));
  }
  all += sheet_part("claims pending at the end",
                    sheet_table(report.at("claims_pending"),
                                {words("claim"), words("state"), words("link"), words("table"),
                                 words("line"), words("raised", "raised_at"), figure("amount")}));
  all += sheet_part("counted",
                    sheet_table(report.at("counts"),
                                {words("what", "kind"), words("link"), words("table"), words("by"),
                                 words("before", "witness"), stays("amount"), stays("expected")}));
  all += sheet_part("what happened",
                    sheet_table(report.at("events"), {words("at"), figure("entry"),
                                                      words("what", "kind"), words("", "words")}));
  return all;
}

}  // namespace linkmeter::cli
