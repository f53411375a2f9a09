#include "controller/sockets/admitted_keys.h"

#include <spdlog/spdlog.h>

#include <utility>

#include "controller/store/data_folder.h"

namespace linkmeter {

AdmittedKeys::AdmittedKeys(std::filesystem::path data,
                           std::vector<ZapAuthenticator*> authenticators,
                           const Enrolments& enrolments)
    : data_(std::move(data)), authenticators_(std::move(authenticators)) {
  admit(enrolments);
}

void AdmittedKeys::admit(const Enrolments& enrolments) {
  for (ZapAuthenticator* authenticator : authenticators_) authenticator->admit(enrolments);
  remove_stale_credentials(data_, enrolments);
}

void AdmittedKeys::admit_operator(const std::string& key) {
  for (ZapAuthenticator* authenticator : authenticators_) authenticator->admit_operator(key);
}

std::map<std::string, std::uint64_t> AdmittedKeys::refused_connections() const {
  ZapAuthenticator::Counts counts;
  for (const ZapAuthenticator* authenticator : authenticators_) {
    counts = counts + authenticator->counts();
  }
  return {{"key_unknown", counts.key_unknown},
          {"without_key", counts.without_key},
          {"handshake_failed", counts.handshake_failed},
          {"handshake_expired", counts.handshake_expired},
          {"viewer_excess", counts.viewers_ended}};
}

void AdmittedKeys::on_turn(const CommittedTurn& done) {
  if (done.turn.enrolments_changed) admit(done.state.enrolments());
}

void AdmittedKeys::serve(Moment /*now*/) {
  for (ZapAuthenticator* authenticator : authenticators_) {
    for (const std::string& line : authenticator->take_log_lines())
      spdlog::warn("refused {}", line);
  }
}

}  // namespace linkmeter
