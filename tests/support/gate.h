// Gate: a ZAP authenticator for a test's sockets, and the keys that it admits.
#pragma once

#include <string>
#include <zmq.hpp>

#include "controller/sockets/zap_authenticator.h"
#include "meters/values/enrolment.h"
#include "proto/host/credentials.h"

namespace linkmeter {

class Gate {
 public:
  Gate() : Gate(ZapAuthenticator::viewer_bounds) {}
  explicit Gate(const ZapAuthenticator::ViewerBounds& viewers)
      : admission_(context_, controller_, operator_.public_key, viewers) {}
  [[nodiscard]] zmq::context_t& context() { return context_; }
  [[nodiscard]] ZapAuthenticator& admission() { return admission_; }

  // Credentials with a key that is not enrolled.
  [[nodiscard]] Credentials stranger() const {
    return {"table", "stranger", make_key_pair(), controller_.public_key};
  }
  [[nodiscard]] Credentials enrolled(EnrolmentKind kind, const std::string& name) {
    const Credentials made{std::string(linkmeter::name(kind)), name, make_key_pair(),
                           controller_.public_key};
    enrolments_.enrol({kind, name, made.keys.public_key});
    admission_.admit(enrolments_);
    return made;
  }
  [[nodiscard]] Credentials table(const std::string& name) {
    return enrolled(EnrolmentKind::table, name);
  }
  [[nodiscard]] Credentials viewer(const std::string& name) {
    return enrolled(EnrolmentKind::viewer, name);
  }
  [[nodiscard]] Credentials operators() const {
    return {"operator", "operator", operator_, controller_.public_key};
  }
  void revoke(const Credentials& credentials) {
    const auto kind = credentials.kind == "viewer" ? EnrolmentKind::viewer : EnrolmentKind::table;
    enrolments_.revoke(kind, credentials.name);
    admission_.admit(enrolments_);
  }

 private:
  const KeyPair controller_ = make_key_pair();
  const KeyPair operator_ = make_key_pair();
  Enrolments enrolments_;
  zmq::context_t context_;
  ZapAuthenticator admission_;
};

}  // namespace linkmeter
