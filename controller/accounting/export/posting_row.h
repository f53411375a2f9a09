// Posting row: one posting as one record of a file for accounting. From these rows alone, without
// Linkmeter, every balance of every gaming day can be computed again.
//
// The columns of "linkmeter-postings 1", as the first record names them. The first record has the
// name of the format in place of the first column's name, so every record has the same number of
// fields:
//   entry        number of the journal's entry
//   recorded_at  the controller's clock, UTC
//   day          the entry's gaming day, also if that day has not ended; "": no day has ever ended,
//                and its name is unknown
//   fact         what happened: "round_locked"
//   table, round, seat, claim   if there is one; several claims are separated by spaces. If an
//                entry rejects claims and raises new ones, a row of the account "pending" has the
//                claims of its amount, and any other row may have both
//   link, level  the level's name, or "reserve"
//   account      for the meaning of its sign see meters/balances/posting.h
//   amount       whole number of 10^-8 dollar, signed
//   currency     "USD"
//   by           badges of the persons
//   note         their note, or the reason
// Texts are as csv.h writes them: an apostrophe before a possible formula is not part of them.
#pragma once

#include <string>
#include <vector>

#include "meters/facts/entry.h"
#include "meters/state/state.h"

namespace linkmeter {

struct PostingRow {
  EntryNumber entry;
  std::string recorded_at, day, fact, table, round, seat, link, level, account;
  Amount amount;
  std::string claim, by, note;
  friend bool operator==(const PostingRow&, const PostingRow&) = default;
};

// The first record.
std::string posting_row_head();
std::string text(const PostingRow& row);
// The row, or why the fields are not one.
struct PostingRowRead {
  std::string why;
  PostingRow row;
};
PostingRowRead parse_posting_row(const std::vector<std::string>& fields);

// The gaming day of an entry; `first_day` while none has ended.
std::string day_text(const std::vector<DayRecord>& days, EntryNumber entry,
                     const std::string& first_day = "");

// The rows of entries. REQUIRES: the state is of their journal, and not older than the entries.
class PostingRows {
 public:
  // `state` must outlive this. `first_day`: as of day_text().
  PostingRows(const State& state, std::string first_day)
      : state_(state), first_day_(std::move(first_day)) {}
  [[nodiscard]] std::vector<PostingRow> of(const Entry& entry) const;

 private:
  const State& state_;
  std::string first_day_;
};

}  // namespace linkmeter
