#include "controller/accounting/day/fund_day.h"

#include <algorithm>

#include "controller/view/display_names.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"

namespace linkmeter {
namespace {

bool carried(const FundMoved& moved, TableIndex table) {
  return std::find(moved.tables.begin(), moved.tables.end(), table) != moved.tables.end();
}

void add_part(std::string& all, const std::string& part) {
  all += (all.empty() ? "" : ", ") + part;
}

// The person who counted shows where: a dealer at the closed table, a cashier at the cage.
Json box_json(const TableDay& day, const std::string& table, const Attestation<CountRecorded>* box,
              const Attestation<FundMoved>* moved) {
  Json json{{"table", table},
            {"pots", day.pots},
            {"contributed", text_cents(day.handle)},
            {"counted", nullptr},
            {"difference", nullptr},
            {"entry", nullptr},
            {"at", nullptr},
            {"by", nullptr},
            {"witness", nullptr},
            {"transfer", moved == nullptr ? Json() : Json(moved->entry.value())}};
  if (box == nullptr) return json;
  json["counted"] = text_cents(box->fact.amount);
  json["difference"] = text_cents(box->fact.amount - day.handle);
  json["entry"] = box->entry.value();
  json["at"] = text(box->at);
  json["by"] = box->fact.by.text();
  json["witness"] = box->fact.witness.text();
  // Older reports do not have these keys, and their SHA-256 must not change.
  if (!box->fact.notice.empty()) json["notice"] = box->fact.notice;
  if (!box->fact.recording.empty()) json["recording"] = box->fact.recording;
  return json;
}

}  // namespace

bool FundDay::stands(const Moved& moved) const {
  return std::none_of(statements_.moves.begin(), statements_.moves.end(), [&](const Moved& other) {
    return other.entry > moved.entry && other.fact.link == moved.fact.link &&
           std::any_of(moved.fact.tables.begin(), moved.fact.tables.end(),
                       [&other](TableIndex table) { return carried(other.fact, table); });
  });
}

const FundDay::Moved* FundDay::find_move(TableIndex table) const {
  for (const Moved& moved : statements_.moves) {
    if (moved.fact.link == link_ && carried(moved.fact, table) && stands(moved)) return &moved;
  }
  return nullptr;
}

Amount FundDay::counted(const FundMoved& moved) const {
  Amount all;
  for (const TableIndex table : moved.tables) {
    if (const auto* box = find_box(table)) all += box->fact.amount;
  }
  return all;
}

// Every counted amount must arrive at the cage in full (§ 553.20(d), (e)). Boxes that nobody has
// counted are other items.
void FundDay::compare_cage(std::vector<FundItem>& items) const {
  std::string differences, words;
  for (const Moved& moved : statements_.moves) {
    if (moved.fact.link != link_ || !moved.fact.verified || !stands(moved)) continue;
    const Amount expected = counted(moved.fact);
    if (*moved.fact.verified == expected) continue;
    add_part(differences, text_cents(*moved.fact.verified - expected));
    add_part(words, "entry " + std::to_string(moved.entry.value()) + ": the cashier found " +
                        text_cents(*moved.fact.verified) + ", counted was " + text_cents(expected));
  }
  if (!differences.empty()) items.push_back({"cage", differences, words});
  Amount missing;
  std::string tables;
  for (const TableDay& table : day().tables) {
    const auto* box = find_box(table.table);
    if (box == nullptr || box->fact.amount == Amount()) continue;
    // A box that is carried uncounted is counted at the cage. One that was counted before it was
    // carried needs the cashier's verification.
    const Moved* moved = find_move(table.table);
    if (moved != nullptr && (moved->fact.verified || box->entry > moved->entry)) continue;
    missing += box->fact.amount;
    add_part(tables, table_name(book_.floor, table.table));
  }
  if (missing == Amount()) return;
  items.push_back({"cage_missing", text_cents(missing),
                   "counted, and nobody took it over at the cage: " + tables});
}

// The last amount that finance stated: by a count after the day's end, else by the day's last
// adjustment.
void FundDay::compare_kept(std::vector<FundItem>& items) const {
  const auto tell = [&items](Amount kept, Amount shown, const std::string& when) {
    if (kept == shown) return;
    items.push_back(
        {"fund", text_cents(kept - shown),
         when + "finance keeps " + text_cents(kept) + ", displayed is " + text_cents(shown)});
  };
  if (const auto* fund = statements_.find(CountKind::fund_kept, link_, std::nullopt)) {
    return tell(fund->fact.amount, displayed(book_.closing[link_.value()]), "");
  }
  const std::vector<DisplayHeld>& displays = day().displays;
  if (displays.empty()) return;
  const DisplayHeld& last = displays.back();
  tell(last.adjusted.kept, last.adjusted.shown,
       "at entry " + std::to_string(last.entry.value()) + ": ");
}

// § 553.20(h): the display is adjusted at least once a day, and at once when a Bad Beat is
// verified.
void FundDay::compare_display(std::vector<FundItem>& items) const {
  const std::vector<DisplayHeld>& displays = day().displays;
  const EntryNumber last = displays.empty() ? EntryNumber() : displays.back().entry;
  if (day().bad_beat_verified > last) {
    const std::string entry = "entry " + std::to_string(day().bad_beat_verified.value());
    items.push_back(
        {"display_missing", "since " + entry,
         "a Bad Beat was verified with " + entry + ", and the display was not adjusted after it"});
    return;
  }
  std::uint64_t pots = 0;
  for (const TableDay& table : day().tables) pots += table.pots;
  if (pots == 0 || !displays.empty()) return;
  items.push_back({"display_missing", std::to_string(pots) + (pots == 1 ? " pot" : " pots"),
                   "nobody has adjusted the display in the day, and held it against the fund"});
}

std::vector<FundItem> FundDay::items() const {
  std::vector<FundItem> all;
  compare_cage(all);
  compare_kept(all);
  compare_display(all);
  return all;
}

Json FundDay::json() const {
  const auto table_of = [&](TableIndex table) { return table_name(book_.floor, table); };
  Json transfers = Json::array();
  for (const auto& [entry, at, moved] : statements_.moves) {
    if (moved.link != link_) continue;
    const Amount sum = counted(moved);
    transfers.push_back(
        Json{{"entry", entry.value()},
             {"at", text(at)},
             {"tables", json_list(moved.tables, table_of)},
             {"verified", cents_or_null(moved.verified)},
             {"counted", text_cents(sum)},
             {"difference", moved.verified ? Json(text_cents(*moved.verified - sum)) : Json()},
             {"stands", stands({entry, at, moved})},
             {"carried_by", moved.carried_by.text()},
             {"accounted_by", moved.accounted_by.text()},
             {"note", moved.note},
             {"by", moved.by.text()}});
  }
  const auto box = [&](const TableDay& table) {
    return box_json(table, table_of(table.table), find_box(table.table), find_move(table.table));
  };
  const auto display = [](const DisplayHeld& held) {
    const auto& [entry, at, adjusted] = held;
    return Json{{"entry", entry.value()},
                {"at", text(at)},
                {"shown", text_cents(adjusted.shown)},
                {"kept", text_cents(adjusted.kept)},
                {"difference", text_cents(adjusted.kept - adjusted.shown)},
                {"note", adjusted.note},
                {"witness", adjusted.witness.text()},
                {"by", adjusted.by.text()}};
  };
  const bool is_verified = day().bad_beat_verified != EntryNumber();
  Json json{{"boxes", json_list(day().tables, box)},
            {"transfers", std::move(transfers)},
            {"displays", json_list(day().displays, display)},
            {"bad_beat_verified", is_verified ? Json(day().bad_beat_verified.value()) : Json()}};
  if (!day().bad_beat_notified.empty()) {
    json["bad_beat_notified"] = day().bad_beat_notified.text();
  }
  return json;
}

Amount shown_at_most(Amount meter) { return meter < Amount() ? Amount() : meter.whole_cents(); }

Amount displayed(const LinkReading& reading) {
  Amount all;
  for (std::size_t level = 0; level < reading.book.levels.size(); ++level) {
    all += reading.shown[level].value_or(shown_at_most(reading.book.levels[level].pool.held));
  }
  return all;
}

}  // namespace linkmeter
