#include "controller/slips/slip_store.h"

#include <algorithm>
#include <system_error>

#include "controller/seal.h"
#include "controller/whole_file.h"
#include "meters/edge/fault.h"

namespace linkmeter {
namespace {

constexpr std::size_t number_digits = 6;
constexpr mode_t readable_by_owner = 0600;

}  // namespace

std::filesystem::path SlipStore::path(SlipNumber slip) const {
  std::string name = std::to_string(slip.value());
  name.insert(0, number_digits - std::min(number_digits, name.size()), '0');
  return folder_ / (name + ".pdf");
}

void SlipStore::write(SlipNumber slip, const std::string& pdf) const {
  std::error_code error;
  if (std::filesystem::create_directory(folder_, error)) {
    std::filesystem::permissions(folder_, std::filesystem::perms::owner_all, error);
    sync_directory(folder_.parent_path());
  }
  if (error) throw Fault(folder_.string() + ": cannot make it: " + error.message());
  write_whole(path(slip), pdf, readable_by_owner);
}

std::variant<std::string, SlipStore::Missing> SlipStore::read(const Slip& slip) const {
  if (!slip.stored) return Missing::not_stored_yet;
  std::optional<std::string> pdf = read_whole(path(slip.number));
  if (!pdf) return Missing::gone;
  if (sha256(*pdf) != *slip.stored) return Missing::differs;
  return std::move(*pdf);
}

std::string sentence(SlipStore::Missing missing, SlipNumber slip) {
  const std::string what = "slip " + std::to_string(slip.value());
  switch (missing) {
    case SlipStore::Missing::not_stored_yet: return what + ": its copy is being made";
    case SlipStore::Missing::gone: return what + ": its stored copy is not there";
    case SlipStore::Missing::differs:
      return what + ": its stored copy is not the one that the journal has the digest of";
  }
  return "";
}

}  // namespace linkmeter
