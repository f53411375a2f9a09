#include "controller/accounting/day/day_attestations.h"

#include <algorithm>
#include <variant>

#include "controller/store/journal_reader.h"
#include "proto/host/fault.h"

namespace linkmeter {

const Attestation<VarianceExplained>* DayAttestations::find(const std::string& item,
                                                            const std::string& difference) const {
  const auto found = std::find_if(explanations.rbegin(), explanations.rend(), [&](const auto& one) {
    return one.fact.item == item && one.fact.difference == difference;
  });
  return found == explanations.rend() ? nullptr : &*found;
}

const Attestation<CountRecorded>* DayAttestations::find(CountKind kind, LinkIndex link,
                                                        std::optional<TableIndex> table) const {
  const auto found = std::find_if(counts.rbegin(), counts.rend(), [&](const auto& one) {
    return one.fact.kind == kind && one.fact.link == link && one.fact.table == table;
  });
  return found == counts.rend() ? nullptr : &*found;
}

DayAttestations day_attestations(const Journal& journal, const DayRecord& record,
                                 EntryNumber as_of) {
  DayAttestations all;
  for (const EntryNumber number : record.facts) {
    if (number > as_of) break;
    const Entry entry = entry_at(journal, number);
    if (const auto* count = std::get_if<CountRecorded>(&entry.fact)) {
      all.counts.push_back({number, entry.recorded_at, *count});
    } else if (const auto* explained = std::get_if<VarianceExplained>(&entry.fact)) {
      all.explanations.push_back({number, entry.recorded_at, *explained});
    } else if (const auto* moved = std::get_if<FundMoved>(&entry.fact)) {
      all.moves.push_back({number, entry.recorded_at, *moved});
    } else if (!std::holds_alternative<CountersReported>(entry.fact)) {  // counter_reconciliation.h
      throw Fault("entry " + std::to_string(number.value()) + " says nothing of the gaming day " +
                  text(record.day) + "; run: linkmeter audit --data DIR");
    }
  }
  return all;
}

}  // namespace linkmeter
