#include "controller/cluster/etcd_failure.h"

#include <array>
#include <string_view>

namespace linkmeter {
namespace {

struct Translation {
  std::string_view etcd;
  std::string_view words;
};
constexpr auto translations = std::to_array<Translation>({
    {"request is too large", "the request is larger than etcd accepts (--max-request-bytes)"},
    {"larger than max", "the message is too large"},
    {"too many operations",
     "the transaction has more operations than etcd accepts (--max-txn-ops)"},
    {"database space exceeded",
     "etcd's store is full (--quota-backend-bytes); compact it, defragment it, and disarm its "
     "alarm"},
    {"lease not found", "the lease has ended"},
    {"required revision has been compacted", "the first changes are compacted"},
    {"authentication failed",
     "etcd does not accept the user's name or password (--etcd-user, --etcd-password-file)"},
    {"user name is empty",
     "etcd asks for a user and a password, and none is configured (--etcd-user)"},
    {"permission denied", "the etcd user may not do this (--etcd-user)"},
    {"no leader", "it knows no leader; etcd has no quorum"},
    {"request timed out", "etcd did not agree in time; it may have no quorum"},
});

// What gRPC says, without the names of its parts.
std::string without_parts(const std::string& message) {
  constexpr std::string_view last = "last error: ";
  const std::size_t at = message.find(last);
  std::string text = at == std::string::npos ? message : message.substr(at + last.size());
  for (const std::string_view code : {"UNKNOWN: ", "UNAVAILABLE: ", "INTERNAL: "}) {
    if (text.starts_with(code)) text.erase(0, code.size());
  }
  return text;
}

}  // namespace

std::string failure_words(const std::string& message) {
  for (const Translation& one : translations) {
    if (message.find(one.etcd) != std::string::npos) {
      return std::string(one.words) + " (" + message + ")";
    }
  }
  return without_parts(message);
}

}  // namespace linkmeter
