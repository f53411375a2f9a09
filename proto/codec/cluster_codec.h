// Cluster codec: bytes <-> what nodes store in etcd, and what they ask each other
// (proto/cluster.proto). Total: any bytes give a value or nullopt.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/values/gaming_day.h"
#include "meters/values/identity.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter {

// What a key in etcd holds, with the proof of its origin.
struct SealedValue {
  std::string content;
  Digest mac{};
  friend bool operator==(const SealedValue&, const SealedValue&) = default;
};

std::string encode(const SealedValue& value);
std::optional<SealedValue> decode_sealed_value(std::string_view bytes);

// Entries that were committed together, or a part of them.
struct EntryBatch {
  EntryNumber first;
  std::vector<std::string> entries;  // as the journal stores them; empty if `parts` is not 0
  Digest hash{};                     // of the last entry
  std::uint32_t parts = 0;           // the one entry is stored in so many parts; 0: it is here
  friend bool operator==(const EntryBatch&, const EntryBatch&) = default;
};

std::string encode(const EntryBatch& batch);
std::optional<EntryBatch> decode_entry_batch(std::string_view bytes);

// A node, and where it can be reached. "": not served.
struct NodeRecord {
  std::string node;
  std::string tables;
  std::string feed;
  std::string pages;
  std::string entries;  // for other nodes that lack entries
  std::string release;
  Head head;
  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

std::string encode(const NodeRecord& record);
std::optional<NodeRecord> decode_node_record(std::string_view bytes);

// Asks another node for entries, `from` to `up_to`.
struct EntryRequest {
  EntryNumber from;
  EntryNumber up_to;
  std::uint64_t bytes_max = 0;
  friend bool operator==(const EntryRequest&, const EntryRequest&) = default;
};

std::string encode(const EntryRequest& request);
// nullopt also for a range without entries.
std::optional<EntryRequest> decode_entry_request(std::string_view bytes);

// Entries that follow each other. Entry 0 as `first`: the request was not understood.
struct EntryReply {
  EntryNumber first;
  std::vector<std::string> entries;  // as the journal stores them
  friend bool operator==(const EntryReply&, const EntryReply&) = default;
};

std::string encode(const EntryReply& reply);
// nullopt also for more than limits::entry_reply_entries_max entries.
std::optional<EntryReply> decode_entry_reply(std::string_view bytes);

// A file that the journal names by its hash: the stored copy of a slip, or the report of a gaming
// day.
struct NamedFile {
  std::variant<SlipNumber, GamingDay> name;
  Digest digest{};  // SHA-256 of the file
  friend bool operator==(const NamedFile&, const NamedFile&) = default;
};

// Asks another node for a file, over the same socket. A node of a release that does not know this
// request answers with an EntryReply without entries.
std::string encode(const NamedFile& request);
// nullopt: the bytes ask for no file, or not for exactly one.
std::optional<NamedFile> decode_file_request(std::string_view bytes);
// `file`: nullopt: this node does not have it.
std::string encode_file_reply(const std::optional<std::string>& file);
std::optional<std::string> decode_file_reply(std::string_view bytes);

}  // namespace linkmeter
