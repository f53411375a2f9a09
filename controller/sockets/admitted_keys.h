// AdmittedKeys: keeps the keys that may connect to the sockets in agreement with the enrolments,
// and DIR/credentials with them. It also logs and counts the refused connections.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "controller/sockets/zap_authenticator.h"
#include "controller/turn/service.h"
#include "meters/values/enrolment.h"

namespace linkmeter {

class AdmittedKeys final : public Service {
 public:
  // Admits the enrolled keys at once. Call before the sockets are bound. The authenticators must
  // outlive this.
  AdmittedKeys(std::filesystem::path data, std::vector<ZapAuthenticator*> authenticators,
               const Enrolments& enrolments);

  // Admits the operator's tool with this key alone from now on.
  void admit_operator(const std::string& key);
  // Connections refused since the start, by reason as the metrics name it.
  [[nodiscard]] std::map<std::string, std::uint64_t> refused_connections() const;

  void on_turn(const CommittedTurn& done) override;
  // Throws Fault if no connection is accepted any more (ZapAuthenticator::take_log_lines()).
  void serve(Moment now) override;

 private:
  void admit(const Enrolments& enrolments);

  std::filesystem::path data_;
  std::vector<ZapAuthenticator*> authenticators_;
};

}  // namespace linkmeter
