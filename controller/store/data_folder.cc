#include "controller/store/data_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include "controller/store/cluster_key.h"
#include "controller/store/lmdb_journal.h"
#include "controller/store/own_node.h"
#include "controller/store/staging_directory.h"
#include "controller/store/writer_lock.h"
#include "meters/rules/decide.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/host/atomic_file.h"
#include "proto/host/certificate.h"

namespace linkmeter {
namespace {

[[noreturn]] void cannot(const std::filesystem::path& path, const std::string& doing) {
  throw Fault(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

std::filesystem::path controller_key_path(const std::filesystem::path& directory) {
  return directory / "keys" / "controller.credentials";
}

std::filesystem::path operator_key_path(const std::filesystem::path& directory) {
  return directory / "keys" / "operator.credentials";
}

void make_private_folder(const std::filesystem::path& path) {
  if (::mkdir(path.c_str(), S_IRWXU) != 0) cannot(path, "make it");
}

// The enrolments of entry 1: one for each table of the submission, a viewer, and the node.
std::vector<Enrolment> make_keys(const std::filesystem::path& draft, const Floor& floor,
                                 const std::string& node) {
  make_private_folder(draft / "keys");
  make_private_folder(draft / "credentials");
  make_private_folder(draft / "credentials" / "viewers");
  const KeyPair controller = make_key_pair();
  write_credentials(controller_key_path(draft),
                    {"controller", "controller", controller, controller.public_key});
  std::vector<Enrolment> enrolments;
  write_certificate(keys_path(draft), make_certificate(own_hosts()));
  write_credentials(operator_key_path(draft),
                    {"operator", "operator", make_key_pair(), controller.public_key});
  const auto enrol = [&](EnrolmentKind kind, const std::string& id) {
    const Credentials made{std::string(name(kind)), id, make_key_pair(), controller.public_key};
    write_credentials(credentials_path(draft, kind, id), made);
    enrolments.push_back({kind, id, made.keys.public_key});
  };
  for (const TableConfig& table : floor.tables) enrol(EnrolmentKind::table, table.id.text());
  enrol(EnrolmentKind::viewer, "feed");
  if (!node.empty()) enrolments.push_back({EnrolmentKind::node, node, controller.public_key});
  sync_directory(draft / "credentials" / "viewers");
  sync_directory(draft / "credentials");
  sync_directory(draft / "keys");
  return enrolments;
}

}  // namespace

std::filesystem::path journal_path(const std::filesystem::path& directory) {
  return directory / "journal";
}

std::filesystem::path endpoints_path(const std::filesystem::path& directory) {
  return directory / "endpoints";
}

std::filesystem::path keys_path(const std::filesystem::path& directory) {
  return directory / "keys";
}

void make_keys_folder(const std::filesystem::path& directory) {
  const std::filesystem::path keys = keys_path(directory);
  if (::mkdir(keys.c_str(), 0700) != 0 && errno != EEXIST) cannot(keys, "make it");
}

std::filesystem::path seal_key_path(const std::filesystem::path& directory) {
  return keys_path(directory) / "seal.key";
}

std::filesystem::path journal_key_path(const std::filesystem::path& directory) {
  return keys_path(directory) / "journal.key";
}

void create_data_folder(const std::filesystem::path& directory, FloorOpened opened, Timestamp now,
                        const std::function<void(const std::filesystem::path&)>& furnish,
                        const std::string& node) {
  const std::filesystem::path place = without_end_slash(directory);
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(place, error))) {
    throw Fault(directory.string() +
                " exists already; a data folder can only be made at a new path");
  }
  StagingDirectory draft(place);
  opened.enrolments = make_keys(draft.path(), opened.floor, node);
  if (!node.empty()) {
    write_own_node(draft.path(), {node});
    make_cluster_key(draft.path());
  }
  LmdbJournal::create(journal_path(draft.path()));
  {
    const auto journal = LmdbJournal::open(journal_path(draft.path()));
    const Entry entry = open_floor(std::move(opened), now);
    State state;
    state.apply(entry);
    journal->commit({encode(entry)}, rows_for(state, state.take_changes()));
  }
  sync_directory(journal_path(draft.path()));
  if (furnish) furnish(draft.path());
  sync_directory(draft.path());
  draft.move_to(place);
  sync_directory(place.parent_path());
}

std::unique_ptr<Journal> open_journal(const std::filesystem::path& directory) {
  return LmdbJournal::open(journal_path(directory));
}

std::unique_ptr<Journal> open_journal_to_read(const std::filesystem::path& directory) {
  return LmdbJournal::open_to_read(journal_path(directory));
}

Credentials controller_credentials(const std::filesystem::path& directory) {
  return read_credentials(controller_key_path(directory));
}

std::string renew_controller_keys(const std::filesystem::path& directory) {
  const std::filesystem::path file = controller_key_path(directory);
  const KeyPair made = make_key_pair();
  // A key that is to replace the old one (key_rotation.h) must not replace this one.
  using Walk = std::filesystem::directory_iterator;
  std::error_code ended, ignored;
  std::vector<std::filesystem::path> old;
  for (Walk found(keys_path(directory), ended); !ended && found != Walk(); found.increment(ended)) {
    if (found->path().filename().string().starts_with(file.filename().string() + ".")) {
      old.push_back(found->path());
    }
  }
  for (const std::filesystem::path& pending : old) std::filesystem::remove(pending, ignored);
  replace_credentials(file, {"controller", "controller", made, made.public_key});
  update_controller_key(directory, made.public_key);
  return made.public_key;
}

void update_controller_key(const std::filesystem::path& directory, const std::string& key) {
  std::vector<std::filesystem::path> files{operator_key_path(directory)};
  using Walk = std::filesystem::recursive_directory_iterator;
  std::error_code ended, ignored;
  for (Walk found(directory / "credentials", ended); !ended && found != Walk();
       found.increment(ended)) {
    if (found->is_regular_file(ignored)) files.push_back(found->path());
  }
  for (const std::filesystem::path& file : files) {
    Credentials credentials;
    try {
      credentials = read_credentials(file);
    } catch (const Fault&) {
      continue;  // unreadable files are skipped
    }
    if (credentials.controller_key == key) continue;
    credentials.controller_key = key;
    replace_credentials(file, credentials);
  }
}

Credentials operator_credentials(const std::filesystem::path& directory) {
  return read_credentials(operator_key_path(directory));
}

std::filesystem::path credentials_path(const std::filesystem::path& directory, EnrolmentKind kind,
                                       const std::string& name) {
  const std::filesystem::path folder = directory / "credentials";
  return (kind == EnrolmentKind::table ? folder : folder / "viewers") / credentials_file_name(name);
}

void require_data_folder(const std::filesystem::path& directory) {
  std::error_code error;
  const bool there = std::filesystem::is_regular_file(journal_path(directory) / "data.mdb", error);
  if (error && error != std::errc::no_such_file_or_directory &&
      error != std::errc::not_a_directory) {
    throw Fault(directory.string() + ": cannot read the folder: " + error.message());
  }
  if (!there) {
    throw Fault(directory.string() + " is not a Linkmeter data folder (make one with: " +
                "linkmeter init --floor FILE --data DIR)");
  }
}

void require_own_folder(const std::filesystem::path& directory) {
  require_data_folder(directory);
  std::error_code error;
  if (std::filesystem::exists(
          std::filesystem::symlink_status(directory / backup_list_name, error))) {
    throw Fault(directory.string() + " is a backup and must not be changed; make a data " +
                "folder from it with: linkmeter restore --from " + directory.string() +
                " --to DIR");
  }
}

bool controller_is_running(const std::filesystem::path& directory) {
  return WriterLock::is_held(journal_path(directory));
}

FloorOpened opened_floor(const Journal& journal) {
  std::optional<FloorOpened> opened;
  std::string why = "it does not open a floor";
  journal.read(EntryNumber(1), [&](const StoredEntry& stored) {
    if (auto entry = decode_entry(stored.bytes)) {
      if (auto* fact = std::get_if<FloorOpened>(&entry->fact)) opened = std::move(*fact);
    } else {
      why = why_unreadable(stored.bytes);
    }
    return false;
  });
  if (!opened) throw Fault("entry 1 of the journal: " + why);
  return std::move(*opened);
}

void remove_stale_credentials(const std::filesystem::path& directory,
                              const Enrolments& enrolments) {
  // No error here may end a controller: unreadable files are skipped.
  using Walk = std::filesystem::recursive_directory_iterator;
  constexpr auto leniently = std::filesystem::directory_options::skip_permission_denied;
  std::error_code ignored, ended;
  std::vector<std::filesystem::path> stale;
  for (Walk found(directory / "credentials", leniently, ended); !ended && found != Walk();
       found.increment(ended)) {
    if (!found->is_regular_file(ignored)) continue;
    try {
      const std::string key = read_credentials(found->path()).keys.public_key;
      if (enrolments.find_key(key) == nullptr) stale.push_back(found->path());
    } catch (const Fault&) {
      continue;
    }
  }
  for (const std::filesystem::path& file : stale) std::filesystem::remove(file, ignored);
}

void write_endpoints(const std::filesystem::path& directory, const std::string& controller,
                     const std::string& feed, const std::string& pages) {
  const std::filesystem::path place = endpoints_path(directory);
  const std::string text = controller + '\n' + feed + '\n' + (pages.empty() ? "" : pages + '\n');
  replace_atomically(place, text, readable_by_all);
}

}  // namespace linkmeter
