#include "controller/integrity/key_rotation.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "controller/auth/pin.h"
#include "controller/auth/pin_key.h"
#include "controller/integrity/manifest.h"
#include "controller/store/data_folder.h"
#include "controller/store/journal_signature.h"
#include "controller/store/own_node.h"
#include "proto/host/atomic_file.h"
#include "proto/host/credentials.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"
#include "proto/host/signing_key.h"

namespace linkmeter {
namespace {

constexpr std::array key_kinds{KeyKind::seal, KeyKind::controller, KeyKind::operator_tool,
                               KeyKind::pin, KeyKind::journal};
constexpr std::string_view next_mark = ".next-";

void rename_key(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    throw Fault(to.string() + ": cannot put the new key in its place: " + std::strerror(errno));
  }
  sync_directory(to.parent_path());
}

bool file_is_there(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// Makes the proposed key and writes it under its pending name.
void make_journal_key(const std::filesystem::path& data, ReplaceKey& replace) {
  const SigningKey made = SigningKey::generate();
  replace.key = public_der(made);
  made.write(next_key_path(data, replace));
}

void make_curve_key(const std::filesystem::path& data, ReplaceKey& replace) {
  const KeyPair made = make_key_pair();
  replace.key = made.public_key;
  const bool is_operator = replace.kind == KeyKind::operator_tool;
  const std::string role = is_operator ? "operator" : "controller";
  write_credentials(next_key_path(data, replace),
                    {role, role, made,
                     is_operator ? controller_credentials(data).keys.public_key : made.public_key});
}

void make_pin_key(const std::filesystem::path& data, ReplaceKey& replace) {
  const std::string made = random_pin_key();
  replace.key = pin_key_mark(made);
  write_atomically(next_key_path(data, replace), made + "\n", readable_by_owner);
}

// Signs with the key file in force, if it exists.
void sign_by_old(const std::filesystem::path& data, ReplaceKey& replace) {
  const std::filesystem::path path = key_path(data, replace.kind);
  if (replace.replaces.empty() || !file_is_there(path)) return;
  const SigningKey old = SigningKey::read(path);
  if (public_der(old) == replace.replaces) replace.signature = old.sign(replacement_text(replace));
}

bool is_proved(const ReplaceKey& replace) {
  if (replace.kind == KeyKind::journal) {
    return is_signed_by(replacement_text(replace), replace.signature, replace.replaces);
  }
  return replace.kind == KeyKind::seal &&
         is_signed(replacement_text(replace), replace.signature, replace.replaces);
}

// Whether an open proposal that can still be confirmed needs the key with this fingerprint.
bool is_proposed(const State& state, Timestamp now, KeyKind kind, std::string_view fingerprint) {
  return std::any_of(state.proposals().begin(), state.proposals().end(), [&](const Proposal& open) {
    const auto* replace = std::get_if<ReplaceKey>(&open.act);
    return replace != nullptr && !open.has_expired(now) && replace->kind == kind &&
           key_fingerprint(replace->key) == fingerprint;
  });
}

// The pending files for `file` in its folder, with their fingerprints.
std::vector<std::pair<std::filesystem::path, std::string>> pending_files(
    const std::filesystem::path& file) {
  std::vector<std::pair<std::filesystem::path, std::string>> waiting;
  const std::string begin = file.filename().string() + std::string(next_mark);
  std::error_code ended;
  using Walk = std::filesystem::directory_iterator;
  for (Walk found(file.parent_path(), ended); !ended && found != Walk(); found.increment(ended)) {
    const std::string name = found->path().filename().string();
    if (name.starts_with(begin)) waiting.emplace_back(found->path(), name.substr(begin.size()));
  }
  return waiting;
}

// A proposer of a seal key writes its file just before the proposal.
bool is_old(const std::filesystem::path& path) {
  constexpr std::chrono::minutes waiting_most{5};
  std::error_code error;
  const auto written = std::filesystem::last_write_time(path, error);
  return !error && std::filesystem::file_time_type::clock::now() - written > waiting_most;
}

void remove_abandoned(const std::filesystem::path& path) {
  std::error_code ignored;
  if (is_old(path)) std::filesystem::remove(path, ignored);
}

// The controller must not serve with a key that the journal does not name.
void require_key(const std::filesystem::path& data, KeyKind kind, const std::string& in_force) {
  const std::filesystem::path path = key_path(data, kind);
  if (in_force.empty() || read_credentials(path).keys.public_key == in_force) return;
  throw Fault(path.string() + ": is not the key in force; restore it");
}

// A node's key is enrolled, perhaps in an entry that it has not followed yet. It need not be the
// key that the house's controller had before there were nodes.
bool is_key_of_node(const std::filesystem::path& data, const State& state) {
  if (read_own_node(data)) return true;
  const Enrolment* owner =
      state.enrolments().find_key(controller_credentials(data).keys.public_key);
  return owner != nullptr && owner->kind == EnrolmentKind::node;
}

// A new key is made in one data folder, and no entry carries it. Another node would not have it
// when it becomes the writer.
void require_no_other_node(const State& state) {
  const auto& all = state.enrolments().all();
  const auto nodes = std::count_if(all.begin(), all.end(), [](const auto& one) {
    return one.second.kind == EnrolmentKind::node;
  });
  if (nodes > 1) {
    throw Fault(
        "the other nodes would not have the new key: revoke them, replace the key, and make "
        "them again from a backup");
  }
}

}  // namespace

std::string key_fingerprint(const std::string& key) { return hex(sha256(key)).substr(0, 16); }

std::filesystem::path key_path(const std::filesystem::path& data, KeyKind kind) {
  const std::filesystem::path keys = keys_path(data);
  switch (kind) {
    case KeyKind::seal: return seal_key_path(data);
    case KeyKind::controller: return keys / "controller.credentials";
    case KeyKind::operator_tool: return keys / "operator.credentials";
    case KeyKind::pin: return pin_key_path(data);
    case KeyKind::journal: return journal_key_path(data);
  }
  return {};
}

std::filesystem::path next_key_path(const std::filesystem::path& data, const ReplaceKey& replace) {
  return key_path(data, replace.kind).string() + std::string(next_mark) +
         key_fingerprint(replace.key);
}

std::filesystem::path next_manifest_path(const std::filesystem::path& data,
                                         const std::string& key) {
  return manifest_path(data).string() + std::string(next_mark) + key_fingerprint(key);
}

void KeyRotation::make(const State& state, ReplaceKey& replace) const {
  replace = ReplaceKey{replace.kind, "", state.keys().of(replace.kind), ""};
  switch (replace.kind) {
    case KeyKind::seal: break;  // its maker signs with the present seal key
    case KeyKind::controller:
      if (read_own_node(data_)) throw Fault("a node has another key only if it is made again");
      make_curve_key(data_, replace);
      break;
    case KeyKind::operator_tool:
      require_no_other_node(state);
      make_curve_key(data_, replace);
      break;
    case KeyKind::pin:
      require_no_other_node(state);
      make_pin_key(data_, replace);
      break;
    case KeyKind::journal:
      if (token_key_) {
        replace.key = token_key_();
        if (replace.key.empty()) throw Fault("the token's key is not known yet");
      } else {
        require_no_other_node(state);
        make_journal_key(data_, replace);
      }
      sign_by_old(data_, replace);
      break;
  }
}

std::string KeyRotation::prepare(const State& state, PersonMessage& message) const {
  auto* propose = std::get_if<Propose>(&message.act);
  auto* replace = propose == nullptr ? nullptr : std::get_if<ReplaceKey>(&propose->act);
  if (replace == nullptr) return "";
  const Person* person = state.find_person(message.by);
  if (person == nullptr || !person->has(Right::alter) || person->pin_set_by_other) return "";
  std::string error;
  if (replace->kind != KeyKind::seal) {
    try {
      make(state, *replace);
    } catch (const Fault& fault) {
      replace->key.clear();
      error = fault.what();
    }
  }
  message.key_is_proved = is_proved(*replace);
  return error;
}

std::set<KeyKind> KeyRotation::settle(const State& state, Timestamp now, bool is_start) const {
  std::set<KeyKind> changed;
  for (const KeyKind kind : key_kinds) {
    const std::filesystem::path place = key_path(data_, kind);
    const std::string& in_force = state.keys().of(kind);
    for (const auto& [path, fingerprint] : pending_files(place)) {
      const bool is_in_force = !in_force.empty() && key_fingerprint(in_force) == fingerprint;
      if (is_in_force && kind == KeyKind::controller && !is_start) continue;
      if (is_in_force) {
        if (kind == KeyKind::pin) store_pin_key(data_);
        rename_key(path, place);
        changed.insert(kind);
      } else if (!is_proposed(state, now, kind, fingerprint)) {
        remove_abandoned(path);
      }
    }
  }
  const std::string& seal = state.keys().of(KeyKind::seal);
  for (const auto& [path, fingerprint] : pending_files(manifest_path(data_))) {
    if (!seal.empty() && key_fingerprint(seal) == fingerprint) {
      rename_key(path, manifest_path(data_));
    } else if (!is_proposed(state, now, KeyKind::seal, fingerprint)) {
      remove_abandoned(path);
    }
  }
  if (is_start) {
    require_key(data_, KeyKind::operator_tool, state.keys().of(KeyKind::operator_tool));
    const std::string& controller = state.keys().of(KeyKind::controller);
    if (!is_key_of_node(data_, state)) {
      require_key(data_, KeyKind::controller, controller);
      if (!controller.empty()) update_controller_key(data_, controller);
    }
  }
  // No PIN hash uses the previous key any more.
  if (state.keys().before_pin_key.empty()) delete_stored_pin_key(data_);
  return changed;
}

}  // namespace linkmeter
