#include <iostream>
#include <optional>
#include <string>
#include <system_error>

#include "controller/cli/shell/command.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "proto/host/shutdown_signal.h"

namespace linkmeter::cli {

namespace {

std::string moved(const std::filesystem::path& file) {
  return "; move " + file.string() + " away, or name another file with --out";
}

// Removes the file of an earlier proposal for the same table or viewer that was not confirmed in
// time. Throws Fault, which says what to do, if anything else is there.
void clear_unconfirmed(const std::filesystem::path& file, const Source& from, EnrolmentKind kind,
                       const std::string& name) {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(file, error))) return;
  const std::string is_there = file.string() + " exists already";
  std::optional<Credentials> there;
  try {
    there = read_credentials(file);
  } catch (const Fault&) {
    throw Fault(is_there + ", and is no file of credentials" + moved(file));
  }
  if (there->kind != linkmeter::name(kind) || there->name != name ||
      there->controller_key != controller_key(from)) {
    throw Fault(is_there + ", and holds no key of " + std::string(linkmeter::name(kind)) + " " +
                name + " for this controller" + moved(file));
  }
  const auto journal = open_data(from);
  const State state = current_state(*journal);
  const std::string& key = there->keys.public_key;
  if (state.enrolments().find_key(key) != nullptr) {
    throw Fault(is_there + " and holds the key of " + there->kind + " " + name + " in force" +
                moved(file));
  }
  const Timestamp now = controller_time(from, *journal, state);
  for (const Proposal& proposal : state.proposals()) {
    const auto* enrol = std::get_if<Enrol>(&proposal.act);
    if (enrol == nullptr || enrol->enrolment.key != key || proposal.has_expired(now)) continue;
    throw Fault(is_there + ": proposal " + std::to_string(proposal.number.value()) +
                " of its key waits until " + text(proposal.expires_at()) +
                "; confirm it, or enroll again after that");
  }
  if (std::filesystem::remove(file, error)) {
    std::cerr << file.string() << ": its key was never enrolled; it is replaced\n";
  }
}

// Makes a key pair, writes its file of credentials, and proposes to enrol it.
int enroll(const OperatorClient& asker, EnrolmentKind kind, const std::string& name,
           const std::filesystem::path& out) {
  require_controller(asker.from);
  const std::filesystem::path file(out.empty() ? credentials_file_name(name) : out.string());
  clear_unconfirmed(file, asker.from, kind, name);
  const Credentials made{std::string(linkmeter::name(kind)), name, make_key_pair(),
                         controller_key(asker.from)};
  bool is_written = false;
  std::optional<ShutdownSignal> held;  // delays an interrupt until the reply has arrived
  try {
    const int code = ask(asker, Propose{Enrol{{kind, name, made.keys.public_key}}}, [&] {
      held.emplace();
      write_credentials(file, made);
      is_written = true;
    });
    if (!asker.json) {
      std::cout << "once it is confirmed, carry " << file.string() << " to " << made.kind << " "
                << name << "; if nobody confirms it, enroll again: that replaces the file\n";
    }
    return code;
  } catch (const NoReply& unanswered) {
    throw Fault(std::string(unanswered.what()) + "; " + file.string() +
                " stays: if it is proposed and confirmed, its key is the one; else enroll again, "
                "which replaces it");
  } catch (const Fault&) {
    std::error_code ignored;
    if (is_written) std::filesystem::remove(file, ignored);  // this key will never be enrolled
    throw;
  }
}

Json enrolments_json(const Journal&, const State& state) {
  Json all = Json::array();
  for (const auto& [name, enrolment] : state.enrolments().all()) {
    all.push_back({{"kind", linkmeter::name(enrolment.kind)},
                   {"name", enrolment.name},
                   {"key", enrolment.key}});
  }
  return all;
}

EnrolmentKind kind_of(const CommandOptions& given) {
  if (!given.node.empty()) return EnrolmentKind::node;
  return given.viewer.empty() ? EnrolmentKind::table : EnrolmentKind::viewer;
}
const std::string& name_of(const CommandOptions& given) {
  if (!given.node.empty()) return given.node;
  return given.viewer.empty() ? given.table : given.viewer;
}

// A node has made its key pair itself, so nothing is carried to it.
int enroll_node(const OperatorClient& asker, const std::string& name, const std::string& key) {
  require_controller(asker.from);
  return ask(asker, Propose{Enrol{{EnrolmentKind::node, name, key}}});
}

}  // namespace

void declare_enrolments(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& options = declare.options;
  CLI::App* enrolling =
      declare.asking(app, "enroll",
                     "Make the key pair of a table or viewer as one file to carry to it, "
                     "and propose it: an engineer proposes, a manager confirms",
                     [&options](const OperatorClient& by) {
                       if (!options.node.empty()) {
                         return enroll_node(by, options.node, options.public_key);
                       }
                       return enroll(by, kind_of(options), name_of(options), options.out);
                     });
  CLI::App* revoke =
      declare.proposal(app, "revoke", "Propose to revoke the key of a table, viewer or node",
                       [](const CommandOptions& given) {
                         return Revoke{kind_of(given), name_of(given)};
                       });
  for (CLI::App* command : {enrolling, revoke}) {
    takes_one_of(command, {command->add_option("--table", options.table, "A table of the floor"),
                           command->add_option("--viewer", options.viewer,
                                               "A sign or another reader of the feed"),
                           declare.takes_node(command, "Another controller of the house")});
  }
  CLI::Option* of_node = enrolling->get_option("--node");
  CLI::Option* key =
      enrolling->add_option("--public-key", options.public_key,
                            "The node's public key, as name-node or restore --node printed it");
  key->check(read_by(is_well_formed_key, "a public key of 40 letters"));
  key->needs(of_node);
  of_node->needs(key);
  enrolling->add_option("--out", options.out, "The file to make (default: NAME.credentials)")
      ->excludes(of_node);
  declare.showing(app, "enrolments",
                  "List the tables, viewers and nodes that may connect, with public keys",
                  enrolments_json, {left("kind"), left("name"), left("public key", "key")});
}

}  // namespace linkmeter::cli
