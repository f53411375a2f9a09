// Journal: the append-only, hash-chained record, and the state tables that are written with it.
//
// Laws: commit() is atomic: it stores entries and rows together or not at all. They are on the disk
// (synced) when it returns, and only then may a reply be sent. If it throws, the process must end:
// memory is ahead of the disk, and the restart recovers. Entries are numbered 1, 2, 3, ...; each
// hash covers the hash before it, the number and the stored bytes (hash_chain.h).
//
// A journal on one disk is durable when commit() returns. A journal on several machines takes
// longer; submit() lets the next turn be decided meanwhile. Nothing of a submitted turn may be
// shown or answered before durable() has reached its last entry.
//
// The programs know only this interface. LmdbJournal and ReplicatedJournal are named where a
// journal is created or opened: in main.cc and data_folder.cc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meters/values/identity.h"
#include "proto/codec/state_codec.h"
#include "proto/codec/wire_codec.h"
#include "proto/host/fault.h"

namespace linkmeter {

struct StoredEntry {
  EntryNumber number;
  Digest hash{};
  std::string bytes;
};

// How much a journal can still grow.
struct JournalSpace {
  std::uint64_t bytes_free = 0;  // at 0 a commit fails
  double used_fraction = 0;      // 0 to 1; at 1 a commit fails
};

class Journal {
 public:
  Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  virtual ~Journal() = default;

  // Entry 0 with a zero hash: the journal is empty.
  [[nodiscard]] virtual Head head() const = 0;
  // Appends the entries after head() and writes the rows; durable on return. Throws Fault.
  virtual void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) = 0;

  // Begins a commit: head() and read() include it at once. It waits while two submitted commits are
  // not durable. Throws Fault, also for a commit that was submitted before.
  virtual void submit(const std::vector<std::string>& entries, const std::vector<Row>& rows) {
    commit(entries, rows);
  }
  // The last durable entry. Throws Fault if a submitted commit failed: then the process must end.
  [[nodiscard]] virtual EntryNumber durable() { return head().entry; }
  // Waits until everything submitted is durable. Throws Fault.
  virtual void settle() {}
  // Becomes readable when durable() has advanced or a commit has failed. nullopt: submit() returns
  // only when the entries are durable.
  [[nodiscard]] virtual std::optional<int> descriptor() const { return std::nullopt; }

  // Visits the stored entries from `from` on, in order and unchecked, until the visitor returns
  // false or the last one is reached. Throws Fault if the store cannot be read.
  virtual void read(EntryNumber from,
                    const std::function<bool(const StoredEntry&)>& visit) const = 0;
  // All rows of the state tables, in key order. Throws Fault.
  [[nodiscard]] virtual std::vector<Row> rows() const = 0;
  // The value of one row. nullopt: no such row. Throws Fault.
  [[nodiscard]] virtual std::optional<std::string> row(std::string_view key) const = 0;

  // The head and all rows at one moment during this call. Safe on any thread. Throws Fault.
  struct Stored {
    Head head;
    std::vector<Row> rows;
  };
  [[nodiscard]] virtual Stored stored() const = 0;
  // The room within the store's own limits; the free space of its disk is not part of it. Cheap:
  // the controller asks between all turns. Throws Fault.
  [[nodiscard]] virtual JournalSpace room() const = 0;
  // Releases what the store holds for processes that have ended. Call it about once a minute while
  // the journal is open for writing. It changes no entry and no row. Throws Fault.
  virtual void maintain() = 0;
  // Copies the journal as of one moment during this call, entries and rows, into an existing empty
  // folder, where it can be opened as a journal. A writer in another process may commit meanwhile.
  // Durable on return, but for the folder's own directory entry. Throws Fault, also if this kind of
  // journal cannot be copied. REQUIRES: opened for reading.
  virtual void snapshot_to(const std::filesystem::path& folder) const = 0;
};

// A journal that is only read: a part or a copy of another one. It has no rows and never grows.
class ReadOnlyJournal : public Journal {
 public:
  // Throws Fault.
  void commit(const std::vector<std::string>& entries, const std::vector<Row>& rows) final;
  [[nodiscard]] std::vector<Row> rows() const override { return {}; }
  [[nodiscard]] std::optional<std::string> row(std::string_view key) const override;
  [[nodiscard]] Stored stored() const final { return {head(), rows()}; }
  [[nodiscard]] JournalSpace room() const final { return {}; }
  void maintain() final {}
  // Throws Fault.
  void snapshot_to(const std::filesystem::path& folder) const final;
};

}  // namespace linkmeter
