// Slip document: the exact text of a slip: the house's two-part record of one payout, as of its
// issue. The stored copy is made from this alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "controller/view/json.h"
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
  std::string evidence;                   // the journal entry that proves it
  friend bool operator==(const SlipDocument&, const SlipDocument&) = default;
};

// The slip's text from the journal, as of the entry that issued it: later signatures and changes
// are not on it. Times are in `zone`. Throws Fault if the journal does not have the claim's entry,
// or if this release cannot read the configuration in force then. REQUIRES: `state` is the
// journal's state, `rules` those in force.
[[nodiscard]] SlipDocument slip_document(const State& state, const FloorRules& rules,
                                         const Journal& journal, const Slip& slip,
                                         const std::string& zone);

// As JSON, for pages and programs, exactly as on its stored copy.
[[nodiscard]] Json document_json(const SlipDocument& slip);
// nullopt: not a slip document.
[[nodiscard]] std::optional<SlipDocument> document_of(const Json& json);

// The notice on a void slip, a sentence each; empty: the slip is not void.
[[nodiscard]] std::vector<std::string> void_sentences(const State& state, const Slip& slip,
                                                      const std::string& zone);

}  // namespace linkmeter
