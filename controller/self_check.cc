#include "controller/self_check.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "controller/audit.h"
#include "controller/floor_difference.h"
#include "controller/seal.h"
#include "meters/codec/journal_codec.h"
#include "meters/laws.h"
#include "meters/limits.h"
#include "meters/text.h"

namespace linkmeter {
namespace {

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// A balance that is wrong does not make the journal wrong.
void say_balances(JournalProof& proof, const std::string& wrong) {
  if (!wrong.empty()) {
    proof.balances.failure =
        wrong + " (the journal is whole: linkmeter rebuild makes the state anew)";
    proof.state.reset();
    return;
  }
  const Floor& floor = proof.state->floor();
  proof.balances.told =
      counted(floor.links.size(), "link") + ", " + counted(proof.state->claims().size(), "claim");
}

JournalProof prove_all(const Journal& journal) {
  JournalProof proof{{"journal", "", ""}, {"balances", "", ""}, std::nullopt};
  AuditReport report = audit(journal);
  if (report.bad) {
    proof.journal.failure = text(report);
    proof.balances.failure = "not counted: the journal is not whole";
    return proof;
  }
  proof.journal.told = std::to_string(report.entries_checked) + " entries, all of them";
  proof.state = std::move(report.state);
  say_balances(proof, report.wrong_state);
  if (proof.state) proof.balances.told += ", counted again";
  return proof;
}

JournalProof prove_from(const Journal& journal, const Head& start) {
  JournalProof proof{{"journal", "", ""}, {"balances", "", ""}, std::nullopt};
  const std::vector<Row> rows = journal.rows();  // first: a reader's snapshot ends with read()
  Chain chain(start);
  std::optional<BadEntry> bad;
  journal.read(start.entry.next(), [&](const StoredEntry& stored) {
    bad = chain.add(stored);
    return !bad;
  });
  if (!bad) bad = chain.finish(journal.head());
  StateRead read = read_state(chain.last().entry, rows);
  if (!bad && read.state && last_entry_seen(*read.state) > chain.last().entry) {
    bad = BadEntry{chain.last().entry.next(), "it is missing: the state knows of it"};
  }
  if (bad) {
    proof.journal.failure = "the first bad entry is " + text(*bad);
    proof.balances.failure = "not counted: the journal is not whole";
    return proof;
  }
  proof.is_quick = true;
  proof.journal.told = std::to_string(chain.last().entry.value()) + " entries, chained from " +
                       std::to_string(start.entry.value()) + " on";
  proof.state = std::move(read.state);
  const auto broken = proof.state ? broken_law(*proof.state) : std::nullopt;
  say_balances(proof, broken ? "the state breaks a law of money: " + *broken : read.why);
  return proof;
}

// The last SelfChecked among these entries that passed.
struct Passed {
  bool found = false;
  std::optional<LastPassed> check;  // nullopt: it does not vouch for the entry before it
};

Passed passed_among(const std::vector<StoredEntry>& entries) {
  Passed last;
  for (const StoredEntry& stored : entries) {
    const std::optional<Entry> entry = decode_entry(stored.bytes);
    const auto* checked = entry ? std::get_if<SelfChecked>(&entry->fact) : nullptr;
    if (checked == nullptr || !checked->failures.empty()) continue;
    last = {true, LastPassed{{checked->verified, checked->head}, checked->manifest}};
    if (checked->verified.next() != stored.number) last.check.reset();
  }
  return last;
}

}  // namespace

std::optional<LastPassed> last_passed(const Journal& journal) {
  constexpr std::uint64_t window_least = 1'024, window_most = 65'536;
  std::uint64_t end = journal.head().entry.value();  // the entries after this were looked at
  for (std::uint64_t window = window_least; end > 0; window = std::min(2 * window, window_most)) {
    const std::uint64_t before = end - std::min(window, end);
    std::vector<StoredEntry> entries;
    journal.read(EntryNumber(before + 1), [&](const StoredEntry& stored) {
      if (stored.number.value() > end) return false;
      entries.push_back(stored);
      return true;
    });
    if (const Passed passed = passed_among(entries); passed.found) return passed.check;
    end = before;
  }
  return std::nullopt;
}

JournalProof prove(const Journal& journal, const std::optional<Digest>& quick_manifest) {
  try {
    if (quick_manifest) {
      const auto last = last_passed(journal);
      if (last && last->manifest == *quick_manifest) return prove_from(journal, last->head);
    }
    return prove_all(journal);
  } catch (const Fault& fault) {
    return {{"journal", fault.what(), ""}, {"balances", "not counted", ""}, std::nullopt};
  }
}

Check software_check(const SoftwareReport& report) {
  Check check{"software", text(report), ""};
  check.told = counted(report.files.size(), "file") + ", sealed " + report.manifest.sealed_at +
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
    line += check.failure.empty() ? "ok      " + check.told : "FAILED";
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
    fact.failures.push_back({check.name, made_well_formed(check.failure, limits::check_words_max)});
  }
  return fact;
}

}  // namespace linkmeter
