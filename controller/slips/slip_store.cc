#include "controller/slips/slip_store.h"

#include <algorithm>
#include <system_error>

#include "controller/seal.h"
#include "controller/whole_file.h"
#include "meters/edge/fault.h"

namespace linkmeter {
namespace {

constexpr mode_t readable_by_owner = 0600;

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
