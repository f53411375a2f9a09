#include "controller/cluster/etcd_settings.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"

namespace linkmeter {
namespace {

constexpr std::size_t password_bytes_max = 1'024;
constexpr const char* shape =
    "an endpoint of etcd is https://HOST:PORT, or http://127.0.0.1:PORT on this machine";

}  // namespace

std::optional<WebAddress> parse_etcd_endpoint(std::string_view endpoint) {
  auto address = WebAddress::parse(endpoint);
  if (!address || address->is_none || address->host == "*" || address->port == 0) {
    return std::nullopt;
  }
  return address;
}

std::string etcd_endpoint_mistake(std::string_view endpoint) {
  if (parse_etcd_endpoint(endpoint)) return "";
  return "is \"" + std::string(endpoint) + "\"; " + shape;
}

std::vector<WebAddress> parse_etcd_endpoints(const EtcdSettings& settings) {
  if (settings.endpoints.empty()) throw Fault(std::string("etcd: no endpoint; ") + shape);
  std::vector<WebAddress> addresses;
  for (const std::string& endpoint : settings.endpoints) {
    const auto address = parse_etcd_endpoint(endpoint);
    if (!address) throw Fault("etcd: an endpoint " + etcd_endpoint_mistake(endpoint));
    addresses.push_back(*address);
  }
  return addresses;
}

std::string read_etcd_password(const EtcdSettings& settings) {
  const std::filesystem::path& path = settings.password_file;
  if (settings.user.empty() != path.empty()) {
    throw Fault("etcd: a user needs a file with a password, and a password its user");
  }
  if (path.empty()) return "";
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && (status.st_mode & S_IRWXO) != 0) {
    throw Fault(path.string() + ": everybody may read this password; run chmod 600 on it");
  }
  std::optional<std::string> text = read_file(path);
  if (!text) throw Fault(path.string() + ": cannot read it: " + std::strerror(errno));
  while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
  const bool is_good =
      !text->empty() && text->size() <= password_bytes_max && text->find('\n') == std::string::npos;
  if (!is_good) {
    forget(*text);
    throw Fault(path.string() + ": is not one line with a password");
  }
  return std::move(*text);
}

}  // namespace linkmeter
