// Day attestations: what people recorded of a gaming day after its end: counts, transfers to the
// cage, and explanations of differences. As of an entry: later ones are not included.
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

  // The last explanation of exactly this difference. nullptr: no explanation.
  [[nodiscard]] const Attestation<VarianceExplained>* find(const std::string& item,
                                                           const std::string& difference) const;
  // The last count. nullptr: no count.
  [[nodiscard]] const Attestation<CountRecorded>* find(CountKind kind, LinkIndex link,
                                                       std::optional<TableIndex> table) const;
};

// Reads the entries that the day's record names. Throws Fault.
DayAttestations day_attestations(const Journal& journal, const DayRecord& record,
                                 EntryNumber as_of);

}  // namespace linkmeter
