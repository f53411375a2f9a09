// Cluster key: the secret that all nodes of a house share, in DIR/keys/cluster.key, readable by its
// owner only (0600). With it they prove to each other which values in etcd are theirs
// (controller/cluster/origin_proof.h). It is in backups, so a node that is made from one has it;
// never in the journal, in evidence or in an archive.
#pragma once

#include <filesystem>
#include <string>

namespace linkmeter {

std::filesystem::path cluster_key_path(const std::filesystem::path& directory);
[[nodiscard]] bool has_cluster_key(const std::filesystem::path& directory);
// 32 bytes. Throws Fault, which says how a folder gets its key, also if others may read the file.
std::string cluster_key(const std::filesystem::path& directory);
// Makes a new key. Throws Fault. REQUIRES: DIR/keys exists.
void make_cluster_key(const std::filesystem::path& directory);

}  // namespace linkmeter
