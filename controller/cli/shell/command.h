// The commands of `linkmeter`, one function and one file each. Each prints its result on standard
// output and returns the exit code; what goes wrong with the world is a Fault, told by main.
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
// two managers, whose PINs are told once.
int init(const std::filesystem::path& floor, const std::filesystem::path& data,
         const std::filesystem::path& catalogue);
// Validates a floor file: every violation with its line and section; exit 1 if there is one.
int check(const std::filesystem::path& floor, const std::filesystem::path& catalogue);
// Reads hands as JSON Lines from standard input and prints the paytable line of each.
int hand(const WagerId& wager, const std::filesystem::path& catalogue);
// Exact frequency of every line, return, break-even meter, hold (odds.h); exit 2 also if something
// asked for is not a number.
int odds(const OddsOptions& asked, const std::filesystem::path& catalogue);
int meters(const Source& from, bool json);
// Every table: linked, lost or never seen, as the running controller tells. Throws Fault.
int tables(const Source& from, bool json);
int claims(const Source& from, bool json);
// The hands that were shown in rounds that are still open.
int rounds(const Source& from, bool json);
// How the payout of a Bad Beat is paid out: every share of the hit that the claim is of. Throws
// Fault.
int distribution(const Source& from, ClaimNumber number, bool json);
// Every slip; one of them. Throws Fault.
int slips(const Source& from, bool json);
int show_slip(const Source& from, SlipNumber number, bool json);
// Pays a claim on its open slip; where it has none, one is issued first, from `source`. Throws
// Fault.
int pay(const OperatorClient& asker, ClaimNumber number, std::optional<PaymentSource> source);
// Everybody there is, and was.
int people(const Source& from, bool json);
// The configuration in force, and the entry that it took effect with; all that ever were.
int parameters(const Source& from, bool json);
int parameters_history(const Source& from, bool json);
// Proposes that a floor file and its chapters become the configuration.
int change_parameters(const OperatorClient& asker, const std::filesystem::path& floor,
                      const std::filesystem::path& catalogue);
// Gives the manager `asker.by` a new PIN for recovery codes; proposes new codes; confirms that
// proposal with codes of the second manager. Throws Fault.
int recover(const OperatorClient& asker);
int new_recovery_codes(const OperatorClient& asker);
int confirm_recovery_codes(const OperatorClient& asker, const Proposal& proposal);
// What waits for the manager of another department.
int proposals(const Source& from, bool json);
// Shows what was proposed, and asks the controller to do that.
int confirm(const OperatorClient& asker, ProposalNumber number);
// Makes a key pair and the one file to carry with it, and proposes to enrol it.
int enroll(const OperatorClient& asker, EnrolmentKind kind, const std::string& name,
           const std::filesystem::path& out);
// Who may connect, with public keys.
int enrolments(const Source& from, bool json);
// Held also against what tables have seen, where `witnesses` names files of that.
// `journal_key`: the SHA-256 of the journal's first key, as init told it; "": not known.
int audit(const std::filesystem::path& data, bool json,
          const std::vector<std::filesystem::path>& witnesses, const std::string& journal_key = "");

// Makes the stored state anew from a journal that is whole, and suspends every link; nothing is
// done if the state is right. Throws Fault if the journal is not whole, or a controller is running.
int rebuild(const std::filesystem::path& data);

struct SealOptions {
  std::filesystem::path floor, data, catalogue;
  std::filesystem::path key;  // "": the one in the data folder
  std::string by;             // an engineer's badge; "": whoever holds the key
};
// Signs a manifest of programs, chapters and floor file as they are now; says what changed.
int seal_software(const SealOptions& asked);
// Holds them against the manifest; exit 1 if anything differs.
int verify_software(const std::filesystem::path& data, const std::filesystem::path& floor,
                    const std::filesystem::path& catalogue, bool json);
// A live table of meters, rates, wagers and wins, drawn over itself on a terminal; `once`: one
// picture.
// `note`: a text that stands below the first line.
int watch(const Source& from, bool once, const std::string& note = "");

// The game chapters; says every mistake in them on standard error. Throws Fault.
Catalogue read_catalogue(const std::filesystem::path& directory);
// Throws Fault, with the wagers that there are.
const WagerRules& find_wager(const Catalogue& catalogue, const WagerId& id);

// The journal of a data folder, as it is now; works beside a running controller. Throws Fault.
std::unique_ptr<Journal> open_data(const std::filesystem::path& data);
// The same, or what the controller gives of it over its staff socket.
std::unique_ptr<Journal> open_data(const Source& from);
// The state as the tables hold it, without walking the journal. Throws Fault.
State current_state(const Journal& journal);

}  // namespace linkmeter::cli
