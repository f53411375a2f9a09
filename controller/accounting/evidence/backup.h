// Backup: a copy of a data folder, made beside a running controller, that another disk can take up
// the work from; and its way back.
//
// Laws: the journal in it is as it was at one moment, and was found a whole chain there; every file
// is listed with size and SHA-256 in FOLDER/backup.json (file_manifest.h), written last, and the
// folder stands in its place only then. Nothing is restored that is not exactly as listed, and
// restored means audited: chain, balances and replay of every entry. Neither ever replaces
// anything.
//
// It holds the keys of the house: it must be kept as they are.
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

// Throws Fault if anything stands at `folder`, a disk fails, or the journal is not whole.
BackupResult back_up(const std::filesystem::path& data, const std::filesystem::path& folder,
                     Timestamp now, const Steps& steps = {});

// The new folder says that it was restored (restore_marker.h): nothing of it is silent.
// Throws Fault that names what is missing, extra, altered or not right of the journal, and if
// anything stands at `data`; then nothing was made.
BackupResult restore(const std::filesystem::path& folder, const std::filesystem::path& data,
                     Timestamp now, const Steps& steps = {});

}  // namespace linkmeter
