// The commands of `linkmeter`. Each prints its result on standard output and returns the exit code.
// Failures are thrown as Fault; main() prints them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/store/journal.h"
#include "meters/game/game_rules.h"
#include "meters/state/state.h"
#include "meters/values/enrolment.h"
#include "meters/values/identity.h"

namespace linkmeter::cli {

struct OperatorClient;
struct OddsOptions;
struct Source;

// Creates a data folder from a floor file: the journal's first entry, with the seeds and the first
// two managers, whose PINs are printed once.
int init(const std::filesystem::path& floor, const std::filesystem::path& data,
         const std::filesystem::path& catalogue);
// Validates a floor file: every violation with its line and section; exit 1 if there is one.
int check(const std::filesystem::path& floor, const std::filesystem::path& catalogue);
// Reads hands as JSON Lines from standard input and prints the paytable line of each.
int hand(const WagerId& wager, const std::filesystem::path& catalogue);
// Exact frequency of every line, return, break-even meter, hold (odds.h). Exit 2 also if an
// option's value is not a number.
int odds(const OddsOptions& asked, const std::filesystem::path& catalogue);
int meters(const Source& from, bool json);
// Every table: linked, lost or never seen, as the running controller reports. Throws Fault.
int tables(const Source& from, bool json);
int claims(const Source& from, bool json);
// The hands shown in rounds that are still open, and the latest pots.
int rounds(const Source& from, bool json);
// How the payout of a Bad Beat is shared: every share of the hit of this claim. Throws Fault.
int distribution(const Source& from, ClaimNumber number, bool json);
// Every slip; one of them. Throws Fault.
int slips(const Source& from, bool json);
int show_slip(const Source& from, SlipNumber number, bool json);
// Pays a claim on its open slip. Without one, issues a slip first, from `source`. Throws Fault.
int pay(const OperatorClient& asker, ClaimNumber number, std::optional<PaymentSource> source);
// All persons, also removed ones.
int people(const Source& from, bool json);
// The configuration in force and the entry that set it; all configurations so far.
int parameters(const Source& from, bool json);
int parameters_history(const Source& from, bool json);
// Proposes a floor file and its chapters as the new configuration.
int change_parameters(const OperatorClient& asker, const std::filesystem::path& floor,
                      const std::filesystem::path& catalogue);
// Gives the manager `asker.by` a new PIN for recovery codes; proposes new codes; confirms that
// proposal with codes of the second manager. Throws Fault.
int recover(const OperatorClient& asker);
int new_recovery_codes(const OperatorClient& asker);
int confirm_recovery_codes(const OperatorClient& asker, const Proposal& proposal);
// Proposals that wait for the manager of another department.
int proposals(const Source& from, bool json);
// Prints the proposal and confirms it.
int confirm(const OperatorClient& asker, ProposalNumber number);
// Makes a key pair, writes its file of credentials, and proposes to enrol it.
int enroll(const OperatorClient& asker, EnrolmentKind kind, const std::string& name,
           const std::filesystem::path& out);
// Tables and viewers that may connect, with their public keys.
int enrolments(const Source& from, bool json);
// Checks the journal, and compares it with what tables have seen. `witnesses`: files of that.
// `journal_key`: the SHA-256 of the journal's first key, as init printed it; "": not known.
int audit(const std::filesystem::path& data, bool json,
          const std::vector<std::filesystem::path>& witnesses, const std::string& journal_key = "");

// Rebuilds the stored state from a journal that is whole, and suspends every link. Does nothing if
// the state is right. Throws Fault if the journal is not whole or a controller is running.
int rebuild(const std::filesystem::path& data);

struct SealOptions {
  std::filesystem::path floor, data, catalogue;
  std::filesystem::path key;  // "": the one in the data folder
  std::string by;             // an engineer's badge; "": the holder of the key
};
// Signs a manifest of programs, chapters and floor file as they are now, and prints what changed.
int seal_software(const SealOptions& asked);
// Compares them with the manifest. Exit 1 if anything differs.
int verify_software(const std::filesystem::path& data, const std::filesystem::path& floor,
                    const std::filesystem::path& catalogue, bool json);
// A live table of meters, rates, wagers and wins, redrawn on a terminal. `once`: prints it once.
// `note`: a text below the first line.
int watch(const Source& from, bool once, const std::string& note = "");

// The game chapters. Prints every mistake in them on standard error. Throws Fault.
Catalogue read_catalogue(const std::filesystem::path& directory);
// Throws Fault, which lists the wagers that exist.
const WagerRules& find_wager(const Catalogue& catalogue, const WagerId& id);

// The journal of a data folder, as it is now. A controller may be running. Throws Fault.
std::unique_ptr<Journal> open_data(const std::filesystem::path& data);
// The same, or the snapshot that the controller sends over its staff socket.
std::unique_ptr<Journal> open_data(const Source& from);
// The stored state, without replaying the journal. Throws Fault.
State current_state(const Journal& journal);

}  // namespace linkmeter::cli
