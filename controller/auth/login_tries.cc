#include "controller/auth/login_tries.h"

#include <utility>

namespace linkmeter {

LoginThrottle& LoginTries::of(const State& state, const Badge& badge) {
  return state.find_person(badge) == nullptr ? of_unknown_badges_ : of_persons_;
}

LoginTries::Tried LoginTries::look(const State& state, const PinRequest& request,
                                   std::string origin, Uptime uptime) {
  const auto is_untrusted = [&](const Badge& badge) {
    return !of(state, badge).is_trusted_origin(badge, origin, uptime);
  };
  Tried tried{request.request.badge, {}, is_untrusted(request.request.badge), {}};
  const Badge* witness = witness_of(request);
  if (witness != nullptr && is_untrusted(*witness)) tried.untrusted_witness = *witness;
  tried.origin = std::move(origin);
  return tried;
}

std::optional<std::chrono::seconds> LoginTries::wait_of(const State& state, const Tried& tried,
                                                        Uptime uptime) {
  std::optional<std::chrono::seconds> wait;
  if (tried.is_untrusted) {
    wait = of(state, tried.badge).wait_of(tried.badge, tried.origin, uptime);
  }
  const Badge& witness = tried.untrusted_witness;
  if (!wait && !witness.empty()) wait = of(state, witness).wait_of(witness, tried.origin, uptime);
  return wait;
}

void LoginTries::begin(const State& state, const Tried& tried, Uptime uptime) {
  if (tried.is_untrusted) of(state, tried.badge).note_try(tried.badge, tried.origin, uptime);
  const Badge& witness = tried.untrusted_witness;
  if (!witness.empty()) of(state, witness).note_try(witness, tried.origin, uptime);
}

void LoginTries::take_back(const State& state, const Tried& tried) {
  if (tried.is_untrusted) of(state, tried.badge).take_back(tried.badge, tried.origin);
  const Badge& witness = tried.untrusted_witness;
  if (!witness.empty()) of(state, witness).take_back(witness, tried.origin);
}

void LoginTries::settle(const State& state, const Tried& tried, const Badge& by, Refusal refusal,
                        Uptime uptime) {
  settle_witness(state, tried, refusal, uptime);
  if (was_wrong(refusal)) {
    if (tried.is_untrusted) of(state, by).note_wrong(by);
    return;
  }
  if (tried.is_untrusted) of(state, by).take_back(by, tried.origin);
  if (!was_not_verified(refusal)) of_persons_.note_right(by, tried.origin, uptime);
}

void LoginTries::settle_witness(const State& state, const Tried& tried, Refusal refusal,
                                Uptime uptime) {
  const Badge& witness = tried.untrusted_witness;
  if (witness.empty()) return;
  LoginThrottle& tries = of(state, witness);
  if (refusal == Refusal::witness_not_signed) return tries.note_wrong(witness);
  // The requester's PIN is verified first: without it, the witness's is not verified.
  const bool was_right = refusal == Refusal::none;
  if (was_right || was_wrong(refusal) || was_not_verified(refusal)) {
    tries.take_back(witness, tried.origin);
  }
  if (was_right) tries.note_right(witness, tried.origin, uptime);
}

}  // namespace linkmeter
