#include "controller/slips/slip_store.h"

#include <algorithm>
#include <system_error>

#include "controller/store/hash_chain.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

std::variant<std::string, SlipStore::Missing> read_as(const std::filesystem::path& path,
                                                      const Digest& digest) {
  std::optional<std::string> pdf = read_file(path);
  if (!pdf) return SlipStore::Missing::gone;
  if (sha256(*pdf) != digest) return SlipStore::Missing::differs;
  return std::move(*pdf);
}

}  // namespace

std::string number_text(SlipNumber slip) {
  constexpr std::size_t digits = 6;
  std::string text = std::to_string(slip.value());
  text.insert(0, digits - std::min(digits, text.size()), '0');
  return text;
}

std::filesystem::path SlipStore::path(SlipNumber slip) const {
  return folder_ / (number_text(slip) + ".pdf");
}

std::filesystem::path SlipStore::void_path(SlipNumber slip) const {
  return folder_ / (number_text(slip) + "-void.pdf");
}

void SlipStore::write(SlipNumber slip, const std::string& pdf) const { write_to(path(slip), pdf); }

void SlipStore::write_void(SlipNumber slip, const std::string& pdf) const {
  write_to(void_path(slip), pdf);
}

bool SlipStore::has_void(SlipNumber slip) const {
  std::error_code error;
  return std::filesystem::exists(void_path(slip), error);
}

void SlipStore::write_to(const std::filesystem::path& path, const std::string& pdf) const {
  std::error_code error;
  if (std::filesystem::create_directory(folder_, error)) {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, error);
    sync_directory(folder_.parent_path());
  }
  if (error) throw Fault(folder_.string() + ": cannot make it: " + error.message());
  write_atomically(path, pdf, readable_by_owner);
}

std::variant<std::string, SlipStore::Missing> SlipStore::read(const Slip& slip) const {
  if (!slip.stored) return Missing::not_stored_yet;
  return read_as(path(slip.number), *slip.stored);
}

std::variant<std::string, SlipStore::Missing> SlipStore::read_void(SlipNumber slip,
                                                                   const Digest& written) const {
  return read_as(void_path(slip), written);
}

std::string sentence(SlipStore::Missing missing, SlipNumber slip) {
  const std::string what = "slip " + std::to_string(slip.value());
  switch (missing) {
    case SlipStore::Missing::not_stored_yet: return what + ": its copy is being made";
    case SlipStore::Missing::gone: return what + ": its stored copy is missing";
    case SlipStore::Missing::differs:
      return what + ": its stored copy does not match the digest in the journal";
  }
  return "";
}

}  // namespace linkmeter
