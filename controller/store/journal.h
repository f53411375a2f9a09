// Journal: the append-only, hash-chained record, and the state tables that are written with it.
//
// Laws: commit() is atomic: it stores entries and rows together or not at all. They are on the disk
// (synced) when it returns, and only then may a reply be sent. If it throws, the process must end:
// memory is ahead of the disk, and the restart recovers. Entries are numbered 1, 2, 3, ...; each
// hash covers the hash before it, the number and the stored bytes (hash_chain.h).
#pragma once

#include <cstdint>
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
  // Visits the stored entries from `from` on, in order and unchecked, until the visitor returns
  // false or the last one is reached. Throws Fault if the store cannot be read.
  virtual void read(EntryNumber from,
                    const std::function<bool(const StoredEntry&)>& visit) const = 0;
  // All rows of the state tables, in key order. Throws Fault.
  [[nodiscard]] virtual std::vector<Row> rows() const = 0;
  // The value of one row. nullopt: no such row. Throws Fault.
  [[nodiscard]] virtual std::optional<std::string> row(std::string_view key) const = 0;
};

}  // namespace linkmeter
