#include "table-agent/link/table_credentials.h"

#include <system_error>
#include <utility>

#include "proto/host/fault.h"
#include "proto/host/local_registry.h"

namespace linkmeter {

TableCredentials::TableCredentials(std::string table, Places places,
                                   std::function<void(const std::string&)> tell)
    : table_(std::move(table)), places_(std::move(places)), tell_(std::move(tell)) {}

std::optional<Credentials> TableCredentials::operator()() {
  if (std::exchange(is_first_, false)) return find();
  try {
    return find();
  } catch (const Fault& fault) {
    if (std::exchange(told_wrong_, fault.what()) != fault.what()) tell_(told_wrong_);
    return std::nullopt;
  }
}

std::optional<Credentials> TableCredentials::find() {
  if (!places_.given.empty()) return carried(places_.given);
  const std::string name = credentials_file_name(table_);
  std::error_code ignored;
  if (std::filesystem::exists(places_.data / name, ignored)) return carried(places_.data / name);
  // What stands there is the controller's and may change at any moment: nothing there is no fault.
  if (const auto folder = registered_controller(places_.endpoint)) {
    const std::filesystem::path file = *folder / "credentials" / name;
    if (std::filesystem::exists(file, ignored)) return carried(file);
  }
  if (!std::exchange(told_, true)) {
    tell_(
        "no credentials yet: carry the table's file to " + (places_.data / name).string() +
        ", or name it with --credentials; or a controller of this user on this machine starts at " +
        places_.endpoint);
  }
  return std::nullopt;
}

Credentials TableCredentials::carried(const std::filesystem::path& file) const {
  Credentials credentials = read_credentials(file);
  if (credentials.kind != "table" || credentials.name != table_) {
    throw Fault(file.string() + ": is for " + credentials.kind + " " + credentials.name +
                ", not for table " + table_);
  }
  return credentials;
}

}  // namespace linkmeter
