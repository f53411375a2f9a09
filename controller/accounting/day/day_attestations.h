// Day statements: what people said of a gaming day after its end: what they counted, what they
// carried to the cage, and how they explained a difference. As of an entry: what came later is not
// in it.
#pragma once

#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/facts/day_facts.h"

namespace linkmeter {

template <class Fact>
struct Attestation {
  EntryNumber entry;
  Timestamp at;
  Fact fact;
};

struct DayAttestations {
  std::vector<Attestation<CountRecorded>> counts;
  std::vector<Attestation<VarianceExplained>> explanations;
  std::vector<Attestation<FundMoved>> moves;

  // The last one that says something of this very difference; null: nobody did.
  [[nodiscard]] const Attestation<VarianceExplained>* find(const std::string& item,
                                                           const std::string& difference) const;
  // A count that was made again counts as it was made last; null: none.
  [[nodiscard]] const Attestation<CountRecorded>* find(CountKind kind, LinkIndex link,
                                                       std::optional<TableIndex> table) const;
};

// Reads the entries that the record names, one by one. Throws Fault.
DayAttestations day_attestations(const Journal& journal, const DayRecord& record,
                                 EntryNumber as_of);

}  // namespace linkmeter
