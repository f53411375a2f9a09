#include "controller/control.h"

#include <sys/stat.h>

#include <utility>

#include "controller/pin.h"
#include "meters/codec/control_codec.h"
#include "meters/codec/status_codec.h"
#include "meters/limits.h"

namespace linkmeter {
namespace {

constexpr Intake::Bounds bounds{limits::control_request_bytes_max, 16};

// Nobody but the owner may connect, from the first moment that the socket is there.
class PrivateFiles {
 public:
  PrivateFiles() : before_(::umask(S_IXUSR | S_IRWXG | S_IRWXO)) {}
  PrivateFiles(const PrivateFiles&) = delete;
  PrivateFiles& operator=(const PrivateFiles&) = delete;
  ~PrivateFiles() { ::umask(before_); }

 private:
  mode_t before_;
};

Intake private_intake(zmq::context_t& context, Admission& admission, const std::string& endpoint) {
  const PrivateFiles made_here;
  return Intake(context, admission, endpoint, Admission::Door::control, bounds);
}

}  // namespace

Control::Control(zmq::context_t& context, Admission& admission, const ControlEndpoint& endpoint)
    : intake_(private_intake(context, admission, endpoint.text())) {}

zmq_pollitem_t Control::awaited() {
  if (looked_at_) return {nullptr, check_.descriptor(), ZMQ_POLLIN, 0};
  return {intake_.socket().handle(), 0, ZMQ_POLLIN, 0};
}

std::optional<PersonRequest> Control::take(const State& state) {
  if (looked_at_) {
    std::optional<PinCheck::Found> found = check_.find();
    if (!found) return std::nullopt;
    PersonRequest request = std::move(*std::exchange(looked_at_, std::nullopt));
    request.is_good = found->is_good;
    if (std::string* sealed = sealed_pin_in(*request.act)) *sealed = std::move(found->new_seal);
    return request;
  }
  for (Received& received : intake_.drain(1)) {
    if (is_status_request(received.bytes)) {
      status_askers_.push_back(std::move(received.peer));
      return std::nullopt;
    }
    auto request = begin(received, state);
    forget(received.bytes);
    return request;
  }
  return std::nullopt;
}

std::optional<PersonRequest> Control::begin(const Received& received, const State& state) {
  std::optional<ControlRequest> asked = decode_control_request(received.bytes);
  if (!asked) return PersonRequest{received.peer, {}, false, {}};
  const Person* person = state.find_person(asked->badge);
  PinCheck::Asked pins;
  pins.pin = std::move(asked->pin);
  if (person != nullptr && !person->removed) pins.seal = person->pin;
  if (sealed_pin_in(asked->act) != nullptr) pins.new_pin = std::move(asked->new_pin);
  pins.replaces_it = std::holds_alternative<ChangePin>(asked->act);
  check_.ask(std::move(pins));
  looked_at_ = PersonRequest{received.peer, std::move(asked->badge), false, std::move(asked->act)};
  return std::nullopt;
}

}  // namespace linkmeter
