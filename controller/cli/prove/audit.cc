#include "controller/store/audit.h"

#include <iostream>
#include <string>
#include <vector>

#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/store/hash_chain.h"
#include "controller/store/seen_head.h"

namespace linkmeter::cli {

namespace {

// What a table has seen, and what in the journal contradicts it; "": nothing.
struct Held {
  Witness witness;
  std::string wrong;
};

std::vector<Held> hold(const Journal& journal, const std::vector<Witness>& witnesses) {
  std::vector<Held> all;
  all.reserve(witnesses.size());
  for (const Witness& witness : witnesses)
    all.push_back({witness, contradiction(journal, witness)});
  return all;
}

Json json_of(const std::vector<Held>& held) {
  auto all = Json::array();
  for (const auto& [witness, wrong] : held) {
    all.push_back({{"table", witness.table.text()},
                   {"entry", witness.head.entry.value()},
                   {"hash", hex(witness.head.hash)},
                   {"holds", wrong.empty()},
                   {"why", wrong.empty() ? Json() : Json(wrong)}});
  }
  return all;
}

Json json_of(const SignaturesProof& proof) {
  auto keys = Json::array();
  for (const SignaturesProof::Period& period : proof.keys) {
    keys.push_back({{"since", period.since.value()},
                    {"sha256", hex(period.key)},
                    {"signed_by_the_key_before", period.is_proved},
                    {"signatures", period.count}});
  }
  return {{"count", proof.count}, {"proved_up_to", proof.up_to.value()}, {"keys", std::move(keys)}};
}

void print(const SignaturesProof& proof, const Head& head) {
  if (proof.keys.empty()) {
    std::cout << "signatures: none; the journal has no key (linkmeter keys rotate journal)\n";
    return;
  }
  if (proof.count == 0) {
    std::cout << "signatures: none yet\n";
  } else {
    std::cout << "signatures: " << proof.count << ", all good; they prove the entries up to "
              << proof.up_to.value() << " of " << head.entry.value() << '\n';
  }
  for (const SignaturesProof::Period& period : proof.keys) {
    std::cout << "  key " << hex(period.key) << " since entry " << period.since.value()
              << (period.is_proved ? "" : ", NOT signed by a key before it") << '\n';
  }
}

// Why the first key is not the expected one; "": it is, or none is expected.
std::string wrong_key(const SignaturesProof& proof, const std::string& journal_key) {
  if (journal_key.empty()) return "";
  if (proof.keys.empty()) return "the journal has no key";
  const std::string first = hex(proof.keys.front().key);
  return first == journal_key ? "" : "the journal's first key is " + first;
}

// Checks the journal, and compares it with what tables have seen. `witness_files`: files of that.
// `journal_key`: the SHA-256 of the journal's first key, as init printed it; "": not known.
int audit_journal(const std::filesystem::path& data, bool as_json,
                  const std::vector<std::filesystem::path>& witness_files,
                  const std::string& journal_key) {
  std::vector<Witness> witnesses;
  for (const std::filesystem::path& file : witness_files) {
    for (const Witness& witness : read_witnesses(file)) witnesses.push_back(witness);
  }
  const auto journal = open_data(data);
  const AuditReport report = linkmeter::audit(
      *journal, Progress("audit", journal->head().entry.value(), "entries").callback());
  const std::vector<Held> held = hold(*journal, witnesses);
  std::string wrong = report.is_clean() ? "" : text(report);
  for (const Held& one : held)
    wrong += (wrong.empty() || one.wrong.empty() ? "" : "; ") + one.wrong;
  const std::string other = wrong_key(report.signatures, journal_key);
  wrong += (wrong.empty() || other.empty() ? "" : "; ") + other;
  if (as_json) {
    Json all{{"clean", wrong.empty()},
             {"entries", report.entries_checked},
             {"head", {{"entry", report.head.entry.value()}, {"hash", hex(report.head.hash)}}},
             {"first_bad_entry", nullptr},
             {"why", nullptr},
             {"witnesses", json_of(held)},
             {"signatures", json_of(report.signatures)}};
    if (report.bad) all["first_bad_entry"] = report.bad->number.value();
    if (!wrong.empty()) all["why"] = wrong;
    print_json(all);
  } else {
    if (report.is_clean()) {
      std::cout << "clean: " << report.entries_checked << " entries, head " << hex(report.head.hash)
                << '\n';
      if (!report.other_version.empty()) {
        std::cout << report.other_version << ": its next start rebuilds it\n";
      }
      print(report.signatures, report.head);
    }
    for (const auto& [witness, contradicted] : held) {
      if (!contradicted.empty()) continue;
      std::cout << "witness " << witness.table.text() << ": entry " << witness.head.entry.value()
                << " is as the table has seen it\n";
    }
  }
  if (wrong.empty()) return 0;
  std::cerr << data.string() << ": " << wrong << '\n';
  return 1;
}

struct AuditOptions {
  std::vector<std::filesystem::path> witnesses;
  std::filesystem::path bundle, archive;
  std::string known_head, journal_key;
};

}  // namespace

// Audits a data folder's journal, a bundle, or an archive.
void declare_audit(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  auto& options = declare.own<AuditOptions>();
  CLI::App* audit = app.add_subcommand(
      "audit",
      "Verify the journal: chain, balances, replay equals state; names the first bad entry");
  auto* data = audit->add_option("--data", given.from.data, "The data folder");
  declare.takes_json(audit);
  audit
      ->add_option("--witness", options.witnesses,
                   "Files of what tables have seen (linkmeter-table-agent --print-witness)")
      ->needs(data);
  audit
      ->add_option("--journal-key", options.journal_key,
                   "The SHA-256 of the journal's first key, as init printed it")
      ->needs(data);
  auto* bundle =
      audit->add_option("--bundle", options.bundle, "Verify a bundle; needs only its folder");
  audit
      ->add_option("--head", options.known_head,
                   "An entry and its hash from another source, as 812:5f1c...")
      ->needs(bundle);
  auto* archive = audit->add_option("--archive", options.archive,
                                    "Replay an archive, and compare it with --data if given");
  bundle->excludes(data)->excludes(archive);
  audit->callback([&declare, &given, &options] {
    if (!options.bundle.empty()) {
      declare.work = [&] { return audit_bundle(options.bundle, options.known_head, given.json); };
    } else if (!options.archive.empty()) {
      declare.work = [&] { return audit_archive(options.archive, given.from.data, given.json); };
    } else if (given.from.data.empty()) {
      throw CLI::RequiredError("--data");
    } else {
      declare.work = [&] {
        return audit_journal(given.from.data, given.json, options.witnesses, options.journal_key);
      };
    }
  });
}

}  // namespace linkmeter::cli
