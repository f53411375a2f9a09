#include "table-agent/link/table_credentials.h"

#include <system_error>
#include <utility>

#include "proto/host/fault.h"
#include "proto/host/local_registry.h"

namespace linkmeter {

TableCredentials::TableCredentials(std::string table, Places places,
                                   std::function<void(const std::string&)> log)
    : table_(std::move(table)), places_(std::move(places)), log_(std::move(log)) {}

std::optional<Credentials> TableCredentials::operator()() {
  if (std::exchange(is_first_, false)) return find();
  try {
    return find();
  } catch (const Fault& fault) {
    if (std::exchange(logged_error_, fault.what()) != fault.what()) log_(logged_error_);
    return std::nullopt;
  }
}

std::optional<Credentials> TableCredentials::find() {
  if (!places_.given.empty()) return read(places_.given);
  const std::string name = credentials_file_name(table_);
  std::error_code ignored;
  if (std::filesystem::exists(places_.data / name, ignored)) return read(places_.data / name);
  // The controller owns that folder and may change it at any time, so a missing file is no fault.
  for (const std::string& endpoint : places_.endpoints) {
    const auto folder = registered_controller(endpoint);
    if (!folder) continue;
    const std::filesystem::path file = *folder / "credentials" / name;
    if (std::filesystem::exists(file, ignored)) return read(file);
  }
  if (!std::exchange(logged_missing_, true)) {
    log_("no credentials yet: copy the table's file to " + (places_.data / name).string() +
         ", or name it with --credentials, or start a controller as this user on this machine at " +
         places_.endpoints.front());
  }
  return std::nullopt;
}

Credentials TableCredentials::read(const std::filesystem::path& file) const {
  Credentials credentials = read_credentials(file);
  if (credentials.kind != "table" || credentials.name != table_) {
    throw Fault(file.string() + ": is for " + credentials.kind + " " + credentials.name +
                ", not for table " + table_);
  }
  return credentials;
}

}  // namespace linkmeter
