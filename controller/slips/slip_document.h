// Slip document: what a slip says, word for word: the house's two-part record of one payout, as it
// was when the slip was issued. Its stored copy is made of this and of nothing else.
#pragma once

#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/floor/floor.h"
#include "meters/state/slip.h"
#include "meters/state/state.h"

namespace linkmeter {

struct SlipDocument {
  struct Row {
    std::string label, value;
    friend bool operator==(const Row&, const Row&) = default;
  };
  std::string house;
  std::string number;     // "000012"
  std::string issued_at;  // "2026-03-01T14:05:09.000123Z"
  std::string amount;     // "$5,000.70"
  std::vector<Row> facts;
  std::vector<std::string> cards;       // the hand that won, "9h"
  std::vector<std::string> arithmetic;  // how the amount was reached, a sentence each
  std::string tax;                      // "Reportable: ..." or "Not reportable: ..."
  bool is_taxable = false;
  std::vector<Row> signed_by;             // with badge and PIN: "Validated by", "F-1 Ann, ..."
  std::vector<std::string> to_be_signed;  // by hand: "Patron"
  std::string evidence;                   // where the journal has it
  friend bool operator==(const SlipDocument&, const SlipDocument&) = default;
};

// What the slip says by the journal, as of the entry that issued it: whatever was signed or changed
// since is not on it. Times are those of `zone`. Throws Fault if the journal does not have the
// claim's entry, or what was in force then cannot be read by this release any more. REQUIRES:
// `state` is what the journal holds, `rules` those in force.
[[nodiscard]] SlipDocument slip_document(const State& state, const FloorRules& rules,
                                         const Journal& journal, const Slip& slip,
                                         const std::string& zone);

// What is said of a void slip, a sentence each; none: it is not void.
[[nodiscard]] std::vector<std::string> void_sentences(const State& state, const Slip& slip,
                                                      const std::string& zone);

}  // namespace linkmeter
