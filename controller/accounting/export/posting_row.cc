#include "controller/accounting/export/posting_row.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>
#include <type_traits>
#include <variant>

#include "controller/accounting/export/csv.h"
#include "controller/view/display_names.h"
#include "controller/view/json.h"
#include "meters/facts/settled.h"
#include "meters/values/time_text.h"

namespace linkmeter {
namespace {

constexpr std::size_t posting_columns = 15;

// What is not UTF-8 is replaced, as in every export.
std::string as_utf8(const std::string& text) {
  const bool is_plain = std::all_of(text.begin(), text.end(),
                                    [](char byte) { return static_cast<signed char>(byte) >= 0; });
  if (is_plain) return text;
  const std::string told = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(told).get<std::string>();
}

template <class Integer>
bool read_whole_number(std::string_view text, Integer& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::to_string(number) == text;
}

// What a fact contains besides its postings.
struct Circumstances {
  std::optional<TableIndex> table;
  std::string round, by, note;
  const std::vector<PlacedWager>* wagers = nullptr;
  std::vector<ClaimNumber> decided = {};  // the one that is paid, or those that are rejected
};

class FactReading {
 public:
  FactReading(const State& state, const Entry& entry) : state_(state) {
    if (entry.origin) found_.table = entry.origin->table;
    found_.decided = settled(entry).rejected;
    std::visit(*this, entry.fact);
  }
  [[nodiscard]] const Circumstances& found() const { return found_; }

  // Facts about a round. Facts about a claim, and acts, have an overload below; no other fact has
  // postings.
  template <class Fact>
  void operator()(const Fact& fact) {
    if constexpr (requires {
                    fact.round;
                    fact.by;
                  }) {
      found_.round = fact.round.text();
      found_.by = fact.by.text();
    }
    if constexpr (requires { fact.wagers; }) found_.wagers = &fact.wagers;
    if constexpr (requires { fact.returned; }) {  // a void
      found_.wagers = &fact.returned;
      found_.note = fact.reason;
    }
    if constexpr (requires { fact.corrects; }) {
      found_.table = fact.table;
      found_.note = fact.note;
    }
  }
  void operator()(const ClaimPaid& paid) {
    decided(paid.claim, paid.by);
    found_.decided = {paid.claim};
  }
  void operator()(const ClaimRejected& rejected) {
    decided(rejected.claim, rejected.by);
    found_.note =
        std::string(name(rejected.reason)) + (rejected.note.empty() ? "" : ": " + rejected.note);
  }
  void operator()(const ActConfirmed& confirmed) {
    found_.by = confirmed.proposed_by.text() + " " + confirmed.by.text();
    std::visit(
        [this](const auto& act) {
          using Kind = std::decay_t<decltype(act)>;
          if constexpr (std::is_same_v<Kind, CorrectMeter> || std::is_same_v<Kind, TransferMeter>) {
            found_.note = std::string(name(act.reason)) + (act.note.empty() ? "" : ": " + act.note);
          } else if constexpr (std::is_same_v<Kind, Discontinue>) {
            found_.note = summary(act);
          }
        },
        confirmed.act);
  }

 private:
  void decided(ClaimNumber number, const Badge& by) {
    found_.by = by.text();
    const Claim* claim = state_.find_claim(number);
    if (claim == nullptr) return;
    found_.table = claim->table;
    found_.round = claim->round.text();
  }

  const State& state_;
  Circumstances found_;
};

// Seats and claims that a posting is about.
struct PostingAbout {
  std::set<unsigned> seats;
  std::set<std::uint64_t> claims;
};

// The reserve's postings may be of any level.
bool is_of_pool(const Posting& posting, LinkIndex link, std::optional<LevelIndex> level) {
  return posting.link == link && level &&
         (posting.pool.is_reserve() || posting.pool.level_index() == *level);
}

// One entry may return wagers, reject claims and raise new ones. A rejected claim's amount leaves
// `pending`, and a new claim's amount enters it. What a void moves besides contributions of wagers
// belongs to the claims that it rejects.
PostingAbout about_posting(const State& state, const Circumstances& found, const Settled& outcome,
                           const Posting& posting) {
  PostingAbout all;
  const bool is_of_wagers = posting.account == Account::wagers ||
                            (posting.account == Account::withheld && found.wagers != nullptr);
  const bool is_pending = posting.account == Account::pending;
  for (const ClaimNumber number : found.decided) {
    const Claim* claim = state.find_claim(number);
    if (claim == nullptr || is_of_wagers || (is_pending && posting.amount > Amount())) continue;
    if (!is_of_pool(posting, claim->link, claim->level)) continue;
    all.claims.insert(number.value());
    all.seats.insert(claim->seat.value());
  }
  if (found.wagers != nullptr && (is_of_wagers || all.claims.empty())) {
    for (const PlacedWager& wager : *found.wagers) {
      if (wager.link == posting.link) all.seats.insert(wager.seat.value());
    }
  }
  for (const Award& award : *outcome.awards) {
    if (posting.account == Account::wagers || (is_pending && posting.amount < Amount())) break;
    if (!is_of_pool(posting, award.link, award.level)) continue;
    all.seats.insert(award.seat.value());
    if (award.claim) all.claims.insert(award.claim->value());
  }
  return all;
}

}  // namespace

std::string posting_row_head() {
  CsvRecord head;
  for (const char* column :
       {"linkmeter-postings 1", "recorded_at", "day", "fact", "table", "round", "seat", "link",
        "level", "account", "amount", "currency", "claim", "by", "note"}) {
    head.plain(column);
  }
  return head.whole();
}

std::string text(const PostingRow& row) {
  CsvRecord record;
  record.plain(std::to_string(row.entry.value())).plain(row.recorded_at).plain(row.day);
  record.plain(row.fact).text(row.table).text(row.round).plain(row.seat).text(row.link);
  record.text(row.level).plain(row.account).plain(std::to_string(row.amount.units()));
  record.plain("USD").plain(row.claim).text(row.by).text(row.note);
  return record.whole();
}

PostingRowRead parse_posting_row(const std::vector<std::string>& fields) {
  if (fields.size() != posting_columns) {
    return {"it has " + std::to_string(fields.size()) + " fields, not 15", {}};
  }
  std::uint64_t entry = 0;
  std::int64_t units = 0;
  if (!read_whole_number(fields[0], entry) || entry == 0) {
    return {"\"" + fields[0] + "\" is not an entry number", {}};
  }
  if (!read_whole_number(fields[10], units)) {
    return {"\"" + fields[10] + "\" is not a whole number of 10^-8 dollar", {}};
  }
  if (fields[11] != "USD") return {"\"" + fields[11] + "\" is not the currency USD", {}};
  return {"", PostingRow{EntryNumber(entry), fields[1], fields[2], fields[3], csv_text(fields[4]),
                         csv_text(fields[5]), fields[6], csv_text(fields[7]), csv_text(fields[8]),
                         fields[9], Amount::from_units(units), fields[12], csv_text(fields[13]),
                         csv_text(fields[14])}};
}

std::string day_text(const std::vector<DayRecord>& days, EntryNumber entry,
                     const std::string& first_day) {
  const auto day =
      std::lower_bound(days.begin(), days.end(), entry,
                       [](const DayRecord& one, EntryNumber wanted) { return one.ended < wanted; });
  if (day != days.end()) return text(day->day);
  return days.empty() ? first_day : text(days.back().day.next());
}

std::vector<PostingRow> PostingRows::of(const Entry& entry) const {
  if (entry.postings.empty()) return {};
  const Circumstances found = FactReading(state_, entry).found();
  const Settled outcome = settled(entry);
  const Floor& floor = state_.floor();
  PostingRow same;
  same.entry = entry.number;
  same.recorded_at = text(entry.recorded_at);
  same.day = day_text(state_.days(), entry.number, first_day_);
  same.fact = name(entry.fact);
  if (found.table) same.table = table_name(floor, *found.table);
  same.round = as_utf8(found.round);
  same.by = as_utf8(found.by);
  same.note = as_utf8(found.note);
  std::vector<PostingRow> rows;
  for (const Posting& posting : entry.postings) {
    PostingRow& row = rows.emplace_back(same);
    row.link = link_name(floor, posting.link);
    row.level = pool_name(floor, posting.link, posting.pool);
    row.account = name(posting.account);
    row.amount = posting.amount;
    const PostingAbout is_about = about_posting(state_, found, outcome, posting);
    if (is_about.seats.size() == 1) row.seat = std::to_string(*is_about.seats.begin());
    for (const std::uint64_t claim : is_about.claims) {
      row.claim += (row.claim.empty() ? "" : " ") + std::to_string(claim);
    }
  }
  return rows;
}

}  // namespace linkmeter
