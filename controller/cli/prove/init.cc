#include <array>
#include <iostream>
#include <string>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/auth/pin.h"
#include "controller/auth/pin_key.h"
#include "controller/cli/shell/command.h"
#include "controller/integrity/manifest.h"
#include "controller/integrity/software.h"
#include "controller/store/data_folder.h"
#include "controller/store/journal_signature.h"
#include "controller/time/clock.h"
#include "meters/values/amount.h"
#include "meters/values/limits.h"
#include "meters/values/time_text.h"
#include "proto/host/atomic_file.h"
#include "proto/host/sha256.h"
#include "proto/host/signing_key.h"

namespace linkmeter::cli {

namespace {

struct FirstPerson {
  const char* badge;
  const char* name;
  Role role;
  std::string pin;
};

Person person_of(const FirstPerson& manager, const std::string& pin_key) {
  Person person;
  person.badge = Badge(manager.badge);
  person.name = manager.name;
  person.department = department_of(manager.role);
  person.roles = {manager.role};
  person.pin = hash_pin(manager.pin, pin_key);
  person.pin_set_by_other = true;  // the installer reads both PINs
  return person;
}

void seal_first(const std::filesystem::path& draft, const Manifest& manifest, const SigningKey& key,
                const std::string& pin_key) {
  make_keys_folder(draft);
  key.write(seal_key_path(draft));
  write_pin_key(draft, pin_key);
  write_atomically(manifest_path(draft), signed_text(manifest, key), manifest_mode);
}

// Creates a data folder from a floor file: the journal's first entry, with the seeds and the first
// two managers, whose PINs are printed once.
int init(const CommandOptions& given) {
  const std::filesystem::path &floor = given.floor, &data = given.from.data,
                              &catalogue = given.catalogue;
  auto read = read_new_floor(floor, catalogue);
  FloorFile* file = read_or_print(read);
  if (file == nullptr) return 1;
  FloorOpened opened{std::move(file->floor), std::move(file->text),
                     std::move(file->catalogue_texts)};
  // One for each half of dual control: together they add everybody else.
  const std::array managers{
      FirstPerson{"TGM-1", "Table games manager", Role::table_games_manager,
                  random_pin(Badge("TGM-1"))},
      FirstPerson{"FM-1", "Finance manager", Role::finance_manager, random_pin(Badge("FM-1"))}};
  const std::string pin_key = random_pin_key();
  for (const FirstPerson& manager : managers) opened.people.push_back(person_of(manager, pin_key));
  std::array<std::string, limits::recovery_codes_made> codes;
  for (std::string& code : codes) {
    code = random_recovery_code();
    opened.recovery_codes.push_back(recovery_digest(code));
  }
  const SigningKey journal_key = SigningKey::generate();
  opened.journal_key = public_der(journal_key);
  const SigningKey seal_key = SigningKey::generate();
  opened.seal_key = seal_key.public_bytes();
  const Timestamp now = Clock().now();
  const Manifest manifest{text(now), "init", sealed_files({floor, catalogue})};
  report_leftovers(data);
  create_data_folder(
      data, opened, now,
      [&](const std::filesystem::path& draft) {
        seal_first(draft, manifest, seal_key, pin_key);
        journal_key.write(journal_key_path(draft));
      },
      given.node);
  Amount seeds;
  for (const LinkConfig& link : opened.floor.links) {
    for (const LevelConfig& level : link.levels) seeds += level.seed;
  }
  std::cout << data.string() << ": opened with " << opened.floor.links.size() << " links, "
            << opened.floor.tables.size() << " tables, " << money_text(seeds) << " of seeds\n";
  for (const FirstPerson& manager : managers) {
    std::cout << manager.badge << ": " << name(manager.role) << ", PIN " << manager.pin << '\n';
  }
  std::cout << "journal key sha256 " << hex(sha256(opened.journal_key))
            << ": write it down outside this machine, for linkmeter audit --journal-key\n";
  for (const std::string& code : codes) std::cout << "recovery code: " << code << '\n';
  std::cout << "keep each recovery code sealed, at three places; two of them recover a manager: "
               "linkmeter recover\n";
  std::cout << "each PIN must be changed before anything else: linkmeter person pin --data "
            << data.string() << " --by BADGE\n";
  if (!given.node.empty()) {
    std::cout << "node " << given.node << ": enrolled, public key "
              << controller_credentials(data).keys.public_key << '\n';
  }
  return 0;
}

}  // namespace

void declare_init(CLI::App& app, CommandBuilder& declare) {
  CLI::App* making = declare.command(
      app, "init", "Create a data folder: the first seeds and managers, entry 1 of the journal",
      [&given = declare.options] { return init(given); });
  declare.takes_floor(making);
  declare.takes_catalogue(making);
  declare.takes_data(making);
  declare.takes_node(making, "The name of this controller, if the house has several");
}

}  // namespace linkmeter::cli
