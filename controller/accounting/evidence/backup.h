// Backup: a copy of a data folder, made beside a running controller, from which another machine can
// continue; and its restoration.
//
// Laws: the journal in it is as it was at one moment, and was verified as a whole chain; every file
// is listed with its size and SHA-256 in FOLDER/backup.json (file_manifest.h), which is written
// last; only then is the folder moved to its place. A backup is restored only if it is exactly as
// listed, and a restored journal is audited: chain, balances and replay of every entry. Neither
// command overwrites anything.
//
// It contains the secret keys of the house: it must be kept as safe as those.
#pragma once

#include <cstdint>
#include <filesystem>

#include "controller/accounting/evidence/file_manifest.h"
#include "controller/store/data_folder.h"
#include "controller/store/journal.h"
#include "meters/values/timestamp.h"

namespace linkmeter {

struct BackupResult {
  Head head;  // the journal's in it
  std::size_t files = 0;
  std::uint64_t bytes = 0;
};

// Throws Fault if `folder` exists, a disk fails, or the journal is not whole.
BackupResult back_up(const std::filesystem::path& data, const std::filesystem::path& folder,
                     Timestamp now, const Steps& steps = {});

// The new folder records that it was restored (restore_marker.h). `node`: it becomes a node of this
// name instead, with a new key (own_node.h), and the backup must have the key of the cluster
// (cluster_key.h); "": it is no node, its history is another one from here on, and it has no key of
// the cluster. Throws Fault, which names what is missing, extra, altered or wrong in the journal,
// also if `data` exists; then nothing was made.
// REQUIRES: `node` is "" or well-formed.
BackupResult restore(const std::filesystem::path& folder, const std::filesystem::path& data,
                     const std::string& node, Timestamp now, const Steps& steps = {});

}  // namespace linkmeter
