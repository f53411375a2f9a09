// File client: gets a file that the journal names by its hash from another node (entry_server.h).
//
// Law: it returns only bytes that have the hash.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "controller/sockets/entry_client.h"
#include "proto/codec/cluster_codec.h"
#include "proto/host/credentials.h"

namespace linkmeter {

struct FetchedFile {
  std::optional<std::string> bytes;
  std::string failure;  // why no node gave it; "": one did
};

// Asks the nodes one after the other; blocks at most `answer_max` for each, and ends soon when
// `stops` is set. `keys` are this node's own.
[[nodiscard]] FetchedFile fetch_file(
    const NamedFile& file, const std::vector<EntryClient::Source>& sources, const KeyPair& keys,
    const std::atomic<bool>& stops,
    std::chrono::milliseconds answer_max = std::chrono::milliseconds(5'000));

}  // namespace linkmeter
