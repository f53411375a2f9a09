#include "controller/store/cluster_key.h"

#include <openssl/rand.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

#include "meters/values/hex.h"
#include "meters/values/invariant.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::size_t cluster_key_bytes = 32;

}  // namespace

std::filesystem::path cluster_key_path(const std::filesystem::path& directory) {
  return directory / "keys" / "cluster.key";
}

bool has_cluster_key(const std::filesystem::path& directory) {
  std::error_code error;
  return std::filesystem::exists(
      std::filesystem::symlink_status(cluster_key_path(directory), error));
}

std::string cluster_key(const std::filesystem::path& directory) {
  const std::filesystem::path path = cluster_key_path(directory);
  const auto fail = [&path](const std::string& what) { throw Fault(path.string() + ": " + what); };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail(std::string("cannot look at it: ") + std::strerror(errno));
    fail(
        "is missing, and the nodes of a house trust each other by it; on the first node, stopped, "
        "run: linkmeter name-node --data " +
        directory.string() +
        " --node NAME; the other nodes have a copy of the first one's file (linkmeter backup, and "
        "restore --node)");
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    fail("others may read this secret; restrict it to its owner: chmod 600");
  }
  const std::optional<std::string> text = read_file(path);
  if (!text) fail(std::string("cannot read it: ") + std::strerror(errno));
  std::optional<std::string> key;
  if (text->size() == 2 * cluster_key_bytes + 1 && text->back() == '\n') {
    key = parse_hex(std::string_view(*text).substr(0, 2 * cluster_key_bytes));
  }
  if (!key) fail("is not a cluster key; copy the one of another node");
  return std::move(*key);
}

void make_cluster_key(const std::filesystem::path& directory) {
  std::array<unsigned char, cluster_key_bytes> bytes{};
  INVARIANT(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  const std::string text = hexadecimal(std::string(bytes.begin(), bytes.end())) + "\n";
  write_atomically(cluster_key_path(directory), text, readable_by_owner);
}

}  // namespace linkmeter
