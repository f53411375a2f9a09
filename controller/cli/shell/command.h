// The commands of `linkmeter`. Each function declares one command, or a few of one noun, in the
// order of --help. A command prints its result on standard output and returns the exit code.
// Failures are thrown as Fault; main() prints them.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "controller/cli/shell/command_builder.h"
#include "meters/state/state.h"

namespace linkmeter::cli {

void declare_init(CLI::App& app, CommandBuilder& declare);
void declare_check(CLI::App& app, CommandBuilder& declare);
void declare_hand(CLI::App& app, CommandBuilder& declare);
void declare_odds(CLI::App& app, CommandBuilder& declare);
// `meters`, `tables`.
void declare_meters(CLI::App& app, CommandBuilder& declare);
void declare_signs(CLI::App& app, CommandBuilder& declare);
void declare_claim_list(CLI::App& app, CommandBuilder& declare);
// `export`, `import`.
void declare_export(CLI::App& app, CommandBuilder& declare);
void declare_explain(CLI::App& app, CommandBuilder& declare);
void declare_audit(CLI::App& app, CommandBuilder& declare);
void declare_rebuild(CLI::App& app, CommandBuilder& declare);
void declare_seal(CLI::App& app, CommandBuilder& declare);
void declare_verify_software(CLI::App& app, CommandBuilder& declare);
// `backup`, `restore`.
void declare_backup(CLI::App& app, CommandBuilder& declare);
// `nodes`, `handover`.
void declare_cluster(CLI::App& app, CommandBuilder& declare);
// `name-node`.
void declare_nodes(CLI::App& app, CommandBuilder& declare);
void declare_bundle(CLI::App& app, CommandBuilder& declare);
void declare_archive(CLI::App& app, CommandBuilder& declare);
void declare_sign(CLI::App& app, CommandBuilder& declare);
void declare_watch(CLI::App& app, CommandBuilder& declare);
void declare_people(CLI::App& app, CommandBuilder& declare);
// `validate`, `reject`, `countersign`, `pay`. `group`: the program itself, or its command `claim`.
void declare_claim_steps(CLI::App& group, CommandBuilder& declare);
// `rounds`, `round correct`, `pot correct`.
void declare_rounds(CLI::App& app, CommandBuilder& declare);
void declare_claims(CLI::App& app, CommandBuilder& declare);
// `slip issue`, `slip void`, `slip show`, `slips`.
void declare_slips(CLI::App& app, CommandBuilder& declare);
void declare_links(CLI::App& app, CommandBuilder& declare);
void declare_tables(CLI::App& app, CommandBuilder& declare);
// `correct`, `transfer`.
void declare_corrections(CLI::App& app, CommandBuilder& declare);
void declare_parameters(CLI::App& app, CommandBuilder& declare);
// `enroll`, `revoke`, `enrolments`.
void declare_enrolments(CLI::App& app, CommandBuilder& declare);
// `days`, `day`, `count`, `reading`.
void declare_days(CLI::App& app, CommandBuilder& declare);
void declare_history(CLI::App& app, CommandBuilder& declare);
void declare_clock(CLI::App& app, CommandBuilder& declare);
void declare_keys(CLI::App& app, CommandBuilder& declare);
// `fund move`, `fund adjust`, `distribution`.
void declare_funds(CLI::App& app, CommandBuilder& declare);
void declare_recovery(CLI::App& app, CommandBuilder& declare);
// `proposals`, `confirm`.
void declare_proposals(CLI::App& app, CommandBuilder& declare);

// Prints the meters of every link as a table, once. Throws Fault.
void print_meters(const Source& from);
// `known`: an entry and its hash, as "812:5f1c...", or "". Exit 1 if anything is wrong.
int audit_bundle(const std::filesystem::path& folder, const std::string& known, bool as_json);
// `data`: also compares with this journal; "": does not.
int audit_archive(const std::filesystem::path& folder, const std::filesystem::path& data,
                  bool as_json);
// The name and public key of the node whose data folder this is, and what to do with them. Throws
// Fault if it is no node's.
Json node_json(const std::filesystem::path& data);
void print_node(const std::filesystem::path& data);
// Confirms a proposal of new recovery codes with codes of the second manager. Throws Fault.
int confirm_recovery_codes(const OperatorClient& asker, const Proposal& proposal);

}  // namespace linkmeter::cli
