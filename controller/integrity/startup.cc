#include "controller/integrity/startup.h"

#include <functional>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "controller/integrity/self_check.h"
#include "controller/store/config_history.h"
#include "controller/store/data_folder.h"
#include "controller/store/own_node.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/whole_state.h"

namespace linkmeter {
namespace {

// The checks that need the contents of entry 1. REQUIRES: the journal is whole.
Digest check_submission(const Journal& journal, const StartSettings& terms,
                        const std::variant<FloorFile, Violations>& floor,
                        const std::optional<State>& state, std::vector<Check>& checks) {
  if (state && terms.settle_keys) terms.settle_keys(*state);
  // If the balances are wrong, the key in force is unknown: use entry 1's; nothing operates anyway.
  const std::string seal_key =
      state ? state->keys().of(KeyKind::seal) : opened_floor(journal).seal_key;
  Digest manifest{};
  try {
    const SoftwareReport report =
        verify_software(terms.data, {terms.floor, terms.catalogue}, seal_key);
    checks.push_back(software_check(report));
    manifest = report.manifest_digest;
  } catch (const Fault& fault) {
    checks.push_back({"software", fault.what(), ""});
  }
  if (state) {
    const Configuration in_force = configuration_in_force(journal, *state);
    checks.push_back(configuration_check(in_force, floor, terms.floor));
  }  // else the configuration in force is unknown, and nothing operates anyway
  return manifest;
}

// Reports the progress of a long check every ten percent. A short one reports nothing.
std::function<void(std::uint64_t)> progress_logger(const Journal& journal) {
  constexpr std::uint64_t long_journal = 100'000, parts = 10;
  const std::uint64_t total = journal.head().entry.value();
  if (total < long_journal) return {};
  return [total, told = std::uint64_t{0}](std::uint64_t checked) mutable {
    const std::uint64_t part = parts * checked / total;
    if (part <= told) return;
    told = part;
    std::cerr << "self-check: " << checked << " of " << total << " entries\n" << std::flush;
  };
}

// "the state is of version 7, and this release keeps 8: 36 rows remade from 115 entries in
// 0.1 s; no link is suspended for this"
void log_rebuilt_rows(const std::string& other_version, std::uint64_t entries, std::size_t rows,
                      std::chrono::microseconds took) {
  constexpr std::int64_t us_of_tenth = 100'000;
  const std::int64_t tenths = (took.count() + us_of_tenth / 2) / us_of_tenth;
  std::cerr << other_version << ": " << rows << " rows remade from " << entries << " entries in "
            << tenths / 10 << '.' << tenths % 10 << " s; no link is suspended for this\n"
            << std::flush;
}

// Whether the last entry of the journal is a self-check that failed in the same way.
bool repeats_failure(const Journal& journal, const Entry& entry) {
  bool is_same = false;
  journal.read(journal.head().entry, [&](const StoredEntry& stored) {
    const auto last = decode_entry(stored.bytes);
    const auto* before = last ? std::get_if<SelfChecked>(&last->fact) : nullptr;
    if (before == nullptr) return false;
    SelfChecked now = std::get<SelfChecked>(entry.fact);
    now.verified = before->verified;
    now.head = before->head;
    now.quick = before->quick;
    now.clock_synchronised = before->clock_synchronised;
    is_same = now == *before;
    return false;
  });
  return is_same;
}

// Two controllers that write without each other would make two histories. A folder without a node
// was restored for a single controller, which two managers accept.
void require_writer(const State& state, const StartSettings& terms) {
  auto own = read_own_node(terms.data);
  if (!own) return;
  const bool is_alone = may_write_alone(*own, state.writer());
  const bool has_left = is_alone && state.writer();
  if (has_left && !own->has_caught_up) {  // it was killed between the entry and this
    own->has_caught_up = true;
    write_own_node(terms.data, *own);
  }
  const std::string folder = terms.data.string();
  if (terms.is_standby) {
    if (!has_left || terms.creates_cluster) return;
    throw Fault(folder + ": node " + own->name +
                " has left its cluster and goes on alone: start it without --etcd, or once with " +
                "--create-cluster");
  }
  require_caught_up(terms.data);
  if (is_alone) return;
  throw Fault(
      folder + ": it is node " + own->name +
      " of a cluster, and does not write alone: start it with --etcd; if etcd is lost for " +
      "good, two managers let it go on alone (linkmeter cluster leave)");
}

}  // namespace

Started checked_start(Journal& journal, const StartSettings& terms,
                      const std::variant<FloorFile, Violations>& floor, Clock& clock) {
  ProofSettings proving;
  if (terms.quick || journal.head().entry.value() > terms.check_first) {
    proving.quick_manifest = present_manifest_digest(terms.data);
    proving.trusts_quick = terms.quick;
    if (!terms.quick) proving.chained_most = terms.check_first;
  }
  const auto began = clock.uptime();
  JournalProof proof = prove(journal, proving, progress_logger(journal));
  if (proof.state) require_writer(*proof.state, terms);
  const bool is_proved = terms.quick || !proof.is_quick;
  if (!is_proved) proof.journal.summary += "; all are verified in the background";
  const bool journal_is_whole = proof.journal.failure.empty();
  std::vector<Check> checks{std::move(proof.journal), std::move(proof.balances)};
  Digest manifest{};
  if (journal_is_whole) manifest = check_submission(journal, terms, floor, proof.state, checks);
  std::cerr << table(checks) << std::flush;
  const std::string failure = failure_text(checks);
  if (!journal_is_whole) throw Fault(failure);

  const auto* file = std::get_if<FloorFile>(&floor);
  clock.begin(clock_terms(journal, proof.clock, proof.last_check,
                          file == nullptr ? RecordedTime::step_default : file->clock_step_max));
  if (terms.is_standby) {
    if (!failure.empty()) throw Fault(failure);
    if (proof.makes_rows) journal.commit({}, rows_to_mend(journal.rows(), rows_of(*proof.state)));
    return {std::move(*proof.state), manifest, proof.is_quick, is_proved};
  }
  // If the state is unknown, so is whether this node has left its cluster.
  const auto own = read_own_node(terms.data);
  if (!proof.state && own && (own->joined || !own->has_caught_up)) throw Fault(failure);
  const Head head = journal.head();
  SelfChecked fact = fact_of(checks, manifest, head, proof.is_quick, terms.version);
  fact.clock_synchronised = Clock::is_synchronised();
  const Entry entry{head.entry.next(), clock.now(), std::nullopt, std::move(fact), {}};
  // A service manager restarts a failing controller repeatedly: the same failure is journaled once.
  if (!failure.empty() && repeats_failure(journal, entry)) throw Fault(failure);
  // If the state is unknown, its rows stay unchanged, except for the row that states up to where
  // the journal is verified. Rows of another release stay until this release may serve: the other
  // release may still continue.
  std::vector<Row> rows = {Row{"check", std::nullopt}};
  if (proof.state && !(proof.makes_rows && !failure.empty())) {
    proof.state->apply(entry);
    const Changes changes = proof.state->take_changes();
    rows = proof.makes_rows ? rows_to_mend(journal.rows(), rows_of(*proof.state))
                            : rows_for(*proof.state, changes);
  }
  journal.commit({encode(entry)}, rows);
  if (!failure.empty()) throw Fault(failure);
  if (proof.makes_rows) {
    log_rebuilt_rows(proof.other_version, head.entry.value(), rows.size(), clock.uptime() - began);
  }
  return {std::move(*proof.state), manifest, proof.is_quick, is_proved};
}

RecordedTime::Terms clock_terms(const Journal& journal, const ClockStanding& standing,
                                EntryNumber last_check, std::chrono::microseconds step_max) {
  RecordedTime::Terms terms{.not_before = last_recorded(journal),
                            .lead = std::chrono::microseconds(standing.lead_us),
                            .step_max = step_max};
  // An open doubt does not end with a restart.
  if (standing.doubt) terms.closed_max = step_max;
  journal.read(last_check, [&terms](const StoredEntry& stored) {
    const auto entry = decode_entry(stored.bytes);
    const auto* checked = entry ? std::get_if<SelfChecked>(&entry->fact) : nullptr;
    terms.was_synchronised = checked != nullptr && checked->clock_synchronised;
    return false;
  });
  return terms;
}

LeaveCluster leave_of(const OwnNode& node, const Journal& journal) {
  return {node.name, journal.head().entry, last_recorded(journal), node.has_caught_up};
}

Timestamp last_recorded(const Journal& journal) {
  Timestamp last;
  journal.read(journal.head().entry, [&last](const StoredEntry& stored) {
    if (const auto entry = decode_entry(stored.bytes)) last = entry->recorded_at;
    return false;
  });
  return last;
}

}  // namespace linkmeter
