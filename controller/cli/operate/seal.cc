#include "controller/store/hash_chain.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <variant>

#include "config/reader/floor_file.h"
#include "controller/cli/shell/command.h"
#include "controller/integrity/manifest.h"
#include "controller/integrity/software.h"
#include "controller/store/data_folder.h"
#include "controller/time/clock.h"
#include "meters/values/time_text.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {
namespace {

// The text that names the signer: the badge of an engineer, checked against the journal.
std::string checked_signer(const std::string& by, const State& state) {
  if (by.empty()) return "key holder";
  const Person* person = state.find_person(Badge(by));
  if (person == nullptr || person->removed) throw Fault("nobody has the badge " + by);
  if (!person->roles.contains(Role::engineer)) {
    throw Fault(by + " is no engineer: only engineers seal software");
  }
  return by;
}

// The present manifest; empty if the key has not signed it.
Manifest last_manifest(const std::filesystem::path& data, const std::string& seal_key) {
  const auto written = read_file(manifest_path(data));
  if (!written) return {};
  auto read = read_manifest(*written, seal_key);
  if (const auto* wrong = std::get_if<std::string>(&read)) {
    std::cerr << manifest_path(data).string() << ": " << *wrong << "; sealing everything again\n";
    return {};
  }
  return std::get<Manifest>(std::move(read));
}

const SealedFile* find(const Manifest& manifest, const SealedFile& file) {
  const auto found =
      std::find_if(manifest.files.begin(), manifest.files.end(), [&file](const SealedFile& other) {
        return other.kind == file.kind &&
               (other.name == file.name || file.kind == SealedKind::floor);
      });
  return found == manifest.files.end() ? nullptr : &*found;
}

std::string line(const char* change, const SealedFile& file, const std::string& rest) {
  return std::string(change) + " " + std::string(name(file.kind)) + " " + file.name + " " + rest +
         '\n';
}

void print_changes(const Manifest& last, const Manifest& manifest) {
  std::string changes;
  for (const SealedFile& file : manifest.files) {
    const SealedFile* before = find(last, file);
    if (before == nullptr) {
      changes += line("new    ", file, hex(file.digest));
    } else if (before->digest != file.digest) {
      changes += line("changed", file, hex(before->digest) + " -> " + hex(file.digest));
    }
  }
  for (const SealedFile& file : last.files) {
    if (find(manifest, file) == nullptr) changes += line("gone   ", file, hex(file.digest));
  }
  std::cout << (changes.empty() ? "nothing changed\n" : changes);
}

// Signs a manifest of programs, chapters and floor file as they are now, and prints what changed.
int seal_software(const CommandOptions& options) {
  const std::filesystem::path& data = options.from.data;
  require_own_folder(data);
  auto read = read_floor(options.floor, options.catalogue);
  if (read_or_print(read) == nullptr) return 1;
  const auto journal = open_data(data);
  const State state = current_state(*journal);
  const std::string seal_key = state.keys().of(KeyKind::seal);
  if (seal_key.empty()) {
    throw Fault(data.string() +
                ": its journal names no seal key, so sealing is not possible; two " +
                "managers set a key: linkmeter keys rotate seal");
  }
  const std::filesystem::path key_path = options.key.empty() ? seal_key_path(data) : options.key;
  const SigningKey key = SigningKey::read(key_path);
  if (key.public_bytes() != seal_key) {
    throw Fault(key_path.string() + ": not the seal key that the journal names; the " +
                "present seal is unchanged");
  }
  const Manifest last = last_manifest(data, seal_key);
  const Manifest manifest{text(Clock().now()), checked_signer(options.by, state),
                          sealed_files({options.floor, options.catalogue})};
  write_atomically(manifest_path(data), signed_text(manifest, key), manifest_mode);
  print_changes(last, manifest);
  std::cout << manifest_path(data).string() << ": " << manifest.files.size() << " files sealed by "
            << manifest.by << '\n';
  return 0;
}

}  // namespace

void declare_seal(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  CLI::App* seal = declare.command(
      app, "seal", "Sign a manifest of the programs, game chapters and floor file as they are now",
      [&given] { return seal_software(given); });
  declare.takes_floor(seal);
  declare.takes_data(seal);
  seal->add_option("--key", given.key, "The seal key, if it is not DIR/keys/seal.key");
  seal->add_option("--by", given.by, "The badge of the engineer who seals");
  declare.takes_catalogue(seal);
}

}  // namespace linkmeter::cli
