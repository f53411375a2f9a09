#include "controller/integrity/self_check.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "controller/integrity/config_check.h"
#include "controller/store/audit.h"
#include "controller/store/journal_reader.h"
#include "meters/rules/laws.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "meters/values/text.h"
#include "proto/codec/journal_codec.h"

namespace linkmeter {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// Wrong balances do not make the journal invalid.
void report_balances(JournalProof& proof, const std::string& wrong) {
  proof.clock = proof.state->clock();
  proof.last_check = proof.state->last_check();
  if (!wrong.empty()) {
    proof.balances.failure = wrong + rebuild_hint;
    proof.state.reset();
    return;
  }
  const Floor& floor = proof.state->floor();
  proof.balances.summary =
      counted(floor.links.size(), "link") + ", " + counted(proof.state->claims().size(), "claim");
}

JournalProof prove_all(const Journal& journal, const std::function<void(std::uint64_t)>& progress) {
  JournalProof proof{{"journal", "", ""}, {"balances", "", ""}, std::nullopt};
  AuditReport report = audit(journal, progress);
  if (report.bad) {
    proof.journal.failure = text(report);
    proof.balances.failure = "not checked: the journal is damaged";
    return proof;
  }
  proof.journal.summary = std::to_string(report.entries_checked) + " entries, all of them";
  proof.state = std::move(report.state);
  report_balances(proof, report.wrong_state);
  if (proof.state) proof.balances.summary += ", counted again";
  if (proof.state && !report.other_version.empty()) {
    proof.makes_rows = true;
    proof.other_version = std::move(report.other_version);
  }
  return proof;
}

// The entry where the chain check starts: after the last check, or later if that is too far back.
Head chain_start(const Journal& journal, const Head& last_check, std::uint64_t chained_most) {
  const std::uint64_t end = journal.head().entry.value();
  if (end - last_check.entry.value() <= chained_most) return last_check;
  return find_head(journal, EntryNumber(end - chained_most)).value_or(last_check);
}

// nullopt: there is no trusted check.
std::optional<JournalProof> prove_quickly(const Journal& journal, const ProofSettings& terms) {
  // first, because a reader's snapshot ends with read()
  const std::vector<Row> rows = journal.rows();
  StateRead read = read_state(journal.head().entry, rows);
  if (!read.state) return std::nullopt;
  const auto last = last_passed(journal, *read.state);
  if (!last || last->manifest != *terms.quick_manifest) return std::nullopt;
  if (last->is_quick && !terms.trusts_quick) return std::nullopt;
  JournalProof proof{{"journal", "", ""}, {"balances", "", ""}, std::nullopt};
  const Head start = chain_start(journal, last->head, terms.chained_most);
  HashChain chain(start);
  std::optional<BadEntry> bad;
  journal.read(start.entry.next(), [&](const StoredEntry& stored) {
    bad = chain.add(stored);
    return !bad;
  });
  if (!bad) bad = chain.finish(journal.head());
  if (!bad && last_entry_in(*read.state) > chain.last().entry) {
    bad = BadEntry{chain.last().entry.next(), "it is missing, but the state includes it"};
  }
  if (bad) {
    proof.journal.failure = "the first bad entry is " + text(*bad);
    proof.balances.failure = "not checked: the journal is damaged";
    return proof;
  }
  proof.is_quick = true;
  proof.journal.summary = std::to_string(chain.last().entry.value()) + " entries, chained from " +
                          std::to_string(start.entry.value()) + " on";
  proof.state = std::move(read.state);
  const auto broken = law_violation(*proof.state);
  report_balances(proof, broken ? "the state breaks a law of money: " + *broken : "");
  return proof;
}

}  // namespace

std::optional<LastPassed> last_passed(const Journal& journal, const State& state) {
  std::optional<LastPassed> last;
  if (state.last_check() == EntryNumber()) return last;
  journal.read(state.last_check(), [&](const StoredEntry& stored) {
    const std::optional<Entry> entry = decode_entry(stored.bytes);
    const auto* checked = entry ? std::get_if<SelfChecked>(&entry->fact) : nullptr;
    const bool vouches = checked != nullptr && stored.number == state.last_check() &&
                         checked->failures.empty() && checked->verified.next() == stored.number;
    if (vouches) {
      last = LastPassed{{checked->verified, checked->head}, checked->manifest, checked->quick};
    }
    return false;
  });
  return last;
}

JournalProof prove(const Journal& journal, const ProofSettings& terms,
                   const std::function<void(std::uint64_t)>& progress) {
  try {
    const ReadingScope reads;
    if (terms.quick_manifest) {
      if (auto proof = prove_quickly(journal, terms)) return std::move(*proof);
    }
    return prove_all(journal, progress);
  } catch (const Fault& fault) {
    return {{"journal", fault.what(), ""}, {"balances", "not counted", ""}, std::nullopt};
  } catch (const BrokenLaw& broken) {
    return {{"journal", broken.what(), ""}, {"balances", "not counted", ""}, std::nullopt};
  }
}

Check software_check(const SoftwareReport& report) {
  Check check{"software", text(report), ""};
  check.summary = counted(report.files.size(), "file") + ", sealed " + report.manifest.sealed_at +
                  " by " + report.manifest.by;
  return check;
}

Check configuration_check(const Configuration& in_force,
                          const std::variant<FloorFile, Violations>& read,
                          const std::filesystem::path& floor) {
  Check check{"configuration", "", floor.string()};
  if (const auto* violations = std::get_if<Violations>(&read)) {
    check.failure = floor.string() + " is not a complete floor";
    if (!violations->empty()) check.failure = violations->front().text();
  } else if (const auto difference = floor_difference(in_force, std::get<FloorFile>(read))) {
    check.failure = floor.string() + ": " + *difference;
  }
  return check;
}

std::string table(const std::vector<Check>& checks) {
  std::string all;
  for (const Check& check : checks) {
    std::string line = "self-check " + check.name;
    line.resize(std::max<std::size_t>(line.size() + 1, 26), ' ');
    line += check.failure.empty() ? "ok      " + check.summary : "FAILED";
    all += line + '\n';
  }
  return all;
}

std::string failure_text(const std::vector<Check>& checks) {
  std::string all;
  for (const Check& check : checks) {
    if (check.failure.empty()) continue;
    all += (all.empty() ? "" : "; ") + check.name + ": " + check.failure;
  }
  return all.empty() ? "" : "the self-check failed, so nothing operates: " + all;
}

SelfChecked fact_of(const std::vector<Check>& checks, const Digest& manifest, const Head& head,
                    bool quick, const std::string& version) {
  SelfChecked fact{{}, manifest, head.entry, head.hash, quick, version};
  for (const Check& check : checks) {
    if (check.failure.empty()) continue;
    fact.failures.push_back({check.name, sanitize_text(check.failure, limits::check_words_max)});
  }
  return fact;
}

}  // namespace linkmeter
