#include <iostream>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "controller/cli/shell/command.h"
#include "controller/integrity/key_rotation.h"
#include "controller/integrity/manifest.h"
#include "controller/store/data_folder.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/host/signing_key.h"

namespace linkmeter::cli {
namespace {

Json keys_json(const Journal&, const State& state) {
  const HouseKeys& keys = state.keys();
  Json all{{"keys", Json::array()},
           {"signed_up_to", keys.signed_head.value()},
           {"before_pin_key", Json::array()}};
  for (const auto& [kind, in_force] : keys.current) {
    all["keys"].push_back(Json{{"key", name(kind)},
                               {"since", in_force.since.value()},
                               {"sha256", hex(sha256(in_force.key))}});
  }
  for (const Badge& badge : keys.before_pin_key) all["before_pin_key"].push_back(badge.text());
  return all;
}

void print_keys(const Json& all) {
  for (const Json& key : all.at("keys")) {
    std::cout << plain_cell(key.at("key")) << ": sha256 " << plain_cell(key.at("sha256"))
              << ", since entry " << key.at("since") << '\n';
  }
  const Json& waiting = all.at("before_pin_key");
  if (waiting.empty()) return;
  std::cout << "PINs that are still sealed with the PIN key before:";
  for (const Json& badge : waiting) std::cout << ' ' << plain_cell(badge);
  std::cout << '\n';
}

// Signs the present manifest with the next key. It takes effect with that key. Refuses a manifest
// that the key in force has not signed.
void sign_manifest_again(const std::filesystem::path& data, const std::string& old_key,
                         const SigningKey& next) {
  const auto written = read_file(manifest_path(data));
  auto read = written ? read_manifest(*written, old_key)
                      : std::variant<Manifest, std::string>("it is not there");
  if (const auto* wrong = std::get_if<std::string>(&read)) {
    throw Fault(manifest_path(data).string() + ": " + *wrong + "; seal first: linkmeter seal");
  }
  write_atomically(next_manifest_path(data, next.public_bytes()),
                   signed_text(std::get<Manifest>(read), next), manifest_mode);
}

// The seal key need not be on the controller's machine: its holder makes the new one here.
int rotate_seal(const OperatorClient& asker, const CommandOptions& options, bool is_lost) {
  const std::filesystem::path& data = asker.from.data;
  require_controller(asker.from);
  const State state = current_state(*open_data(asker.from));
  const std::filesystem::path old_path = options.key.empty() ? seal_key_path(data) : options.key;
  std::error_code ignored;
  if (!options.out.empty() && std::filesystem::exists(options.out, ignored)) {
    throw Fault(options.out.string() + " exists already");
  }
  const SigningKey next = SigningKey::generate();
  ReplaceKey replace{KeyKind::seal, next.public_bytes(), state.keys().of(KeyKind::seal), ""};
  if (std::filesystem::exists(old_path, ignored)) {
    const SigningKey old = SigningKey::read(old_path);
    if (old.public_bytes() != replace.replaces) {
      throw Fault(old_path.string() + ": not the seal key that the journal names");
    }
    replace.signature = old.sign(replacement_text(replace));
  } else if (!is_lost) {
    throw Fault(old_path.string() + ": the seal key is not there; name it with --key, or use " +
                "--lost: then the old key does not sign the new one");
  }
  next.write(options.out.empty() ? next_key_path(data, replace) : options.out);
  sign_manifest_again(data, replace.replaces, next);
  return ask(asker, Propose{std::move(replace)});
}

int rotate(const OperatorClient& asker, const CommandOptions& options, bool is_lost) {
  const KeyKind kind = parse_key_kind(options.kind).value();
  if (kind == KeyKind::seal) return rotate_seal(asker, options, is_lost);
  return ask(asker, Propose{ReplaceKey{kind, "", "", ""}});
}

}  // namespace

void declare_keys(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  bool& is_lost = declare.own<bool>();  // the key in force
  CLI::App& keys = CommandBuilder::group(app, "keys", "The house's own keys");
  declare.showing(keys, "list",
                  "List the keys that the journal names, by SHA-256 of their public half",
                  keys_json, print_keys);
  CLI::App* change = declare.asking(
      keys, "rotate", "Propose to replace a key",
      [&given, &is_lost](const OperatorClient& by) { return rotate(by, given, is_lost); });
  declare.takes(change, "key", &CommandOptions::kind, "seal, controller, operator, pin or journal")
      ->check(read_by(parse_key_kind, "one of seal, controller, operator, pin, journal"));
  change->add_option("--key", given.key,
                     "The seal key in force, where it is not in the data folder");
  change->add_option("--out", given.out,
                     "Where the new seal key is written (default: in the data folder)");
  change->add_flag("--lost", is_lost, "The seal key in force is lost and cannot sign");
  change->parse_complete_callback([&given] {
    const bool is_seal = given.kind == "seal";
    if (is_seal && given.from.data.empty()) throw CLI::RequiredError("keys rotate seal: --data");
  });
  change->footer(
      "The new key takes effect when the manager of the other department confirms it.\n"
      "  seal        the manifest is signed again with the new key; needs --data\n"
      "  controller  takes effect at the next start; agents read it from their file of\n"
      "              DIR/credentials, which has to be carried again to another machine\n"
      "  operator    the next command uses it\n"
      "  pin         everybody changes the PIN at the next sign-in, and can do nothing before\n"
      "  journal     a new key file, or the key of the token that the controller was started with");
}

}  // namespace linkmeter::cli
