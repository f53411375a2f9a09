#include "controller/auth/pin_key.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "controller/auth/pin.h"
#include "controller/store/data_folder.h"
#include "meters/values/hex.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

constexpr std::size_t pin_key_letters = 64;

[[noreturn]] void fail_with_key(const std::filesystem::path& path, const std::string& what) {
  throw Fault(path.string() + ": " + what);
}

std::filesystem::path kept_path(const std::filesystem::path& directory) {
  return pin_key_path(directory).string() + ".before";
}

// nullopt: there is no such file.
std::optional<std::string> read_pin_key(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail_with_key(path, std::string("cannot look at it: ") + std::strerror(errno));
  }
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    fail_with_key(path, "others may read this secret; restrict it to its owner: chmod 600");
  }
  std::optional<std::string> text = read_file(path);
  if (!text) fail_with_key(path, std::string("cannot read it: ") + std::strerror(errno));
  if (text->size() != pin_key_letters + 1 || !parse_hex(text->substr(0, pin_key_letters))) {
    fail_with_key(path, "is not a PIN key; restore it");
  }
  text->resize(pin_key_letters);
  return text;
}

}  // namespace

std::filesystem::path pin_key_path(const std::filesystem::path& directory) {
  return keys_path(directory) / "pin.key";
}

void write_pin_key(const std::filesystem::path& directory, const std::string& key) {
  write_atomically(pin_key_path(directory), key + "\n", readable_by_owner);
}

std::string pin_key_mark(const std::string& key) {
  const Digest digest = sha256(key);
  return std::string(digest.begin(), digest.end());
}

void store_pin_key(const std::filesystem::path& directory) {
  const auto text = read_file(pin_key_path(directory));
  if (text) write_atomically(kept_path(directory), *text, readable_by_owner);
}

void delete_stored_pin_key(const std::filesystem::path& directory) {
  std::error_code ignored;
  std::filesystem::remove(kept_path(directory), ignored);
}

std::string stored_pin_key(const std::filesystem::path& directory) {
  return read_pin_key(kept_path(directory)).value_or("");
}

std::string pin_key(const std::filesystem::path& directory, const State& state) {
  const std::filesystem::path path = pin_key_path(directory);
  if (auto key = read_pin_key(path)) {
    const std::string& in_force = state.keys().of(KeyKind::pin);
    if (!in_force.empty() && pin_key_mark(*key) != in_force) {
      fail_with_key(path, "is not the key in force; restore it");
    }
    return std::move(*key);
  }
  const auto& people = state.people();
  const bool is_lost = std::any_of(people.begin(), people.end(),
                                   [](const auto& one) { return is_keyed(one.second.pin); });
  if (is_lost) {
    fail_with_key(path, "is missing, and no PIN can be verified without it; restore it");
  }
  std::string made = random_pin_key();
  write_pin_key(directory, made);
  return made;
}

}  // namespace linkmeter
