#include "controller/accounting/evidence/backup.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <system_error>

#include "controller/integrity/restore_marker.h"
#include "controller/store/audit.h"
#include "controller/store/cluster_key.h"
#include "controller/store/data_folder.h"
#include "controller/store/own_node.h"
#include "controller/store/staging_directory.h"
#include "meters/values/hex.h"
#include "meters/values/number.h"
#include "meters/values/time_text.h"
#include "proto/host/atomic_file.h"
#include "proto/host/certificate.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

constexpr const char* backup_kind = "linkmeter-backup 1";
constexpr std::chrono::milliseconds copy_look_interval(200);
// Files that are used only while this controller runs on this machine; and the journal, which is
// copied separately.
constexpr std::array<std::string_view, 4> left_out{"endpoints", "control", "metrics.prom",
                                                   "journal"};
// LMDB's table of readers, left in a backup by a program that read its journal. It is not part of a
// backup.
constexpr const char* reader_table = "journal/lock.mdb";

bool is_backed_up(const std::filesystem::path& inside) {
  const std::string first = inside.begin()->string();
  return std::find(left_out.begin(), left_out.end(), first) == left_out.end() &&
         inside.extension() != ".new";  // one that is being written
}

// Everything but the journal. Files are replaced by renames, so each is whole whenever it is read.
void copy_files(const std::filesystem::path& data, const std::filesystem::path& draft) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  using Walk = std::filesystem::recursive_directory_iterator;
  Walk found(data, error);
  for (; !error && found != Walk(); found.increment(error)) {
    const std::filesystem::path inside = found->path().lexically_relative(data);
    std::error_code gone;
    if (!is_backed_up(inside)) {
      if (found->is_directory(gone)) found.disable_recursion_pending();
    } else if (found->is_symlink(gone)) {
      throw Fault(found->path().string() + ": a link has no place in a data folder");
    } else if (found->is_directory(gone)) {
      make_folder(draft / inside);
    } else if (found->is_regular_file(gone)) {
      files.push_back(inside);
    }
  }
  if (error) throw Fault(data.string() + ": cannot read the folder: " + error.message());
  for (const std::filesystem::path& inside : files) copy_synced(data / inside, draft / inside);
}

// Copies on another thread, while this one reports progress.
void copy_journal(const std::filesystem::path& data, const std::filesystem::path& to,
                  const Steps& steps) {
  const auto journal = open_journal_to_read(data);
  const auto used =
      static_cast<std::uint64_t>(std::filesystem::file_size(journal_path(data) / "data.mdb"));
  auto copied = std::async(std::launch::async, [&journal, &to] { journal->snapshot_to(to); });
  while (copied.wait_for(copy_look_interval) != std::future_status::ready) {
    std::error_code error;
    const auto done = std::filesystem::file_size(to / "data.mdb", error);
    if (!error && steps) steps("copy", std::min<std::uint64_t>(done, used), used);
  }
  copied.get();
}

// Verifies the copied journal as a whole chain; returns its head.
Head proved_chain(const std::filesystem::path& draft, const Steps& steps) {
  Head head;
  {
    const auto journal = open_journal_to_read(draft);
    head = journal->head();
    HashChain chain;
    std::optional<BadEntry> bad;
    journal->read(EntryNumber(1), [&](const StoredEntry& stored) {
      bad = chain.add(stored);
      if (steps) steps("check", stored.number.value(), head.entry.value());
      return !bad;
    });
    if (!bad) bad = chain.finish(head);
    if (bad) {
      throw Fault("nothing was backed up: the journal is not whole: " + text(*bad) +
                  "; run: linkmeter audit --data DIR");
    }
  }
  std::error_code ignored;
  std::filesystem::remove(draft / reader_table, ignored);
  return head;
}

// Copies all listed files to the same places in a new folder.
void copy_pieces(const std::filesystem::path& folder, const FileManifest& list,
                 const std::filesystem::path& draft, const Steps& steps) {
  std::uint64_t done = 0;
  const std::uint64_t of = list.bytes();
  for (const ManifestEntry& piece : list.pieces) {
    if (piece.file == reader_table) continue;
    std::filesystem::path parent = draft;
    for (const auto& part : std::filesystem::path(piece.file).parent_path()) {
      make_folder(parent /= part);
    }
    const FileDigest copied =
        copy_synced(folder / piece.file, draft / piece.file, [&](std::uint64_t bytes) {
          if (steps) steps("copy", done + bytes, of);
        });
    if (copied != piece.content) {
      throw Fault((folder / piece.file).string() + ": it changed while it was copied");
    }
    done += copied.bytes;
  }
}

Timestamp made_at(const std::filesystem::path& folder, const FileManifest& list) {
  const auto said = text_in(list.about, "made_at");
  const auto moment = said ? parse_moment(*said) : std::nullopt;
  if (!moment) throw Fault(folder.string() + ": " + backup_list_name + " does not say when");
  return *moment;
}

// Throws Fault if the file is still there.
void remove_file(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::remove(path, error);
  if (error) throw Fault(path.string() + ": cannot remove it: " + error.message());
}

// Files are copied after the journal, so some may be later than it: of a day that it has not
// closed, of a slip that it has not issued. Later files will have these names.
bool is_of_later(const std::filesystem::path& inside, const State& state) {
  const std::string room = inside.begin()->string(), name = inside.stem().string();
  if (room == "days") {
    const auto day = parse_gaming_day(name);
    const DayRecord* record = day ? state.find_day(*day) : nullptr;
    return record == nullptr || !record->is_closed();
  }
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  const auto number = parse_number(name.substr(0, digits));
  if (room != "slips" || !number) return false;
  const Slip* slip = state.find_slip(SlipNumber(*number));
  if (digits < name.size()) return slip == nullptr || slip->state != SlipState::voided;
  return slip == nullptr;
}

void forget_later(const std::filesystem::path& draft, const FileManifest& list,
                  const State& state) {
  for (const ManifestEntry& piece : list.pieces) {
    if (is_of_later(piece.file, state)) remove_file(draft / piece.file);
  }
}

void require_clean(const AuditReport& report, const std::filesystem::path& folder,
                   const FileManifest& list) {
  if (!report.is_clean()) {
    throw Fault(folder.string() + ": nothing was restored: " + text(report));
  }
  if (!list.about.contains("head") || list.about["head"] != head_json(report.head)) {
    throw Fault(folder.string() + ": nothing was restored: " + backup_list_name +
                " names another head than entry " + std::to_string(report.head.entry.value()) +
                " with hash " + hex(report.head.hash) + ", which the journal in it has");
  }
}

// What the new folder is: a controller of its own, or a node.
void become(const std::filesystem::path& draft, const std::string& node,
            const HistoryRestored& restored) {
  if (node.empty()) {
    // The backup may be a node's, and that node may still run.
    remove_file(draft / own_node_name);
    remove_file(cluster_key_path(draft));
    write_restore_marker(draft, restored);
    return;
  }
  // No restoration is recorded, so no table waits until two managers accept one: the entries after
  // the backup are not lost, the other nodes have them. Therefore this node may only follow, and
  // never write alone, until it has caught up: require_caught_up().
  renew_controller_keys(draft);
  // Its start makes the key and the certificate of its own pages.
  for (const auto& file : certificate_files(keys_path(draft))) remove_file(file);
  write_own_node(draft, {node, /*has_caught_up=*/false});
}

// A digest of all keys that are in use.
Digest keys_in_place(const std::filesystem::path& data) {
  std::map<std::string, std::string> keys;
  using Walk = std::filesystem::directory_iterator;
  std::error_code ended;
  for (Walk found(keys_path(data), ended); !ended && found != Walk(); found.increment(ended)) {
    const std::string name = found->path().filename().string();
    if (name.find(".next-") != std::string::npos) continue;
    keys[name] = hex(sha256(read_file(found->path()).value_or("")));
  }
  std::string all;
  for (const auto& [name, digest] : keys) all.append(name).append(" ").append(digest).append("\n");
  return sha256(all);
}

}  // namespace

BackupResult back_up(const std::filesystem::path& data, const std::filesystem::path& folder,
                     Timestamp now, const Steps& steps) {
  require_data_folder(data);
  const std::filesystem::path place = without_end_slash(folder);
  require_nothing_at(place,
                     place.string() + " exists already; a backup is only made where nothing is");
  const std::filesystem::path parent =
      std::filesystem::weakly_canonical(place.parent_path())
          .lexically_relative(std::filesystem::weakly_canonical(data));
  if (!parent.empty() && *parent.begin() != "..") {
    throw Fault(folder.string() + ": in the data folder itself; a backup belongs on another disk");
  }
  if (read_restore_marker(data)) {
    throw Fault(data.string() +
                ": it was restored, and no controller has started on it since: it is the same as "
                "its backup");
  }
  StagingDirectory draft(place);
  make_folder(journal_path(draft.path()));
  // The journal first: a slip is on disk before its entry, so every slip of this journal is there
  // when the files are copied.
  const Digest keys = keys_in_place(data);
  copy_journal(data, journal_path(draft.path()), steps);
  const Head head = proved_chain(draft.path(), steps);
  copy_files(data, draft.path());
  // The key files must be those that the journal names.
  if (keys_in_place(draft.path()) != keys) {
    throw Fault(data.string() + ": a key was replaced while the backup was made; make it again");
  }
  const Json about{{"made_at", text(now)}, {"head", head_json(head)}};
  const FileManifest list =
      finish_folder(draft, place, backup_list_name, backup_kind, about, steps);
  return {head, list.pieces.size(), list.bytes()};
}

BackupResult restore(const std::filesystem::path& folder, const std::filesystem::path& data,
                     const std::string& node, Timestamp now, const Steps& steps) {
  const std::filesystem::path place = without_end_slash(data);
  require_nothing_at(
      place, place.string() + " exists already; a backup is only restored where nothing is");
  const FileManifest list = read_file_manifest(folder / backup_list_name, backup_kind);
  const auto wrong = differences(folder, backup_list_name, list, steps, {reader_table});
  if (!wrong.empty()) {
    throw Fault(folder.string() + ": nothing was restored: " + some_of(wrong));
  }
  if (!node.empty() && !has_cluster_key(folder)) {
    throw Fault(
        folder.string() +
        ": nothing was restored: it has no keys/cluster.key, without which "
        "no other node trusts this one; on the first node, stopped, run: linkmeter name-node "
        "--data DIR --node NAME; then make a new backup there");
  }
  StagingDirectory draft(place);
  copy_pieces(folder, list, draft.path(), steps);
  require_data_folder(draft.path());
  make_keys_folder(draft.path());
  AuditReport report;
  {
    const auto journal = open_journal_to_read(draft.path());
    const std::uint64_t of = journal->head().entry.value();
    report = audit(*journal, [&](std::uint64_t done) {
      if (steps) steps("audit", done, of);
    });
  }
  require_clean(report, folder, list);
  forget_later(draft.path(), list, *report.state);
  const HistoryRestored restored{report.head.entry, report.head.hash, now, made_at(folder, list)};
  become(draft.path(), node, restored);
  sync_folders(draft.path());
  draft.move_to(place);
  sync_directory(place.parent_path());
  return {report.head, list.pieces.size(), list.bytes()};
}

}  // namespace linkmeter
