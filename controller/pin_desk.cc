#include "controller/pin_desk.h"

#include <algorithm>
#include <utility>

#include "meters/codec/control_codec.h"
#include "meters/edge/secret.h"

namespace linkmeter {

std::optional<PersonRequest> PinDesk::take(const State& state) {
  if (looked_at_) {
    std::optional<PinCheck::Found> found = check_.find();
    if (!found) return std::nullopt;
    PersonRequest request = std::move(*std::exchange(looked_at_, std::nullopt));
    request.is_good = found->is_good;
    if (request.act) {
      std::string* sealed = sealed_pin_in(*request.act);
      if (sealed != nullptr) *sealed = std::move(found->new_seal);
    }
    return request;
  }
  for (std::size_t asked = 0; asked < sources_.size(); ++asked) {
    PinSource& source = *sources_[next_source_];
    next_source_ = (next_source_ + 1) % sources_.size();
    if (auto request = source.next()) return begin(std::move(*request), state);
  }
  return std::nullopt;
}

bool PinDesk::is_waiting() const {
  return !is_busy() && std::any_of(sources_.begin(), sources_.end(),
                                   [](const PinSource* source) { return source->is_waiting(); });
}

std::optional<PersonRequest> PinDesk::begin(PinAsked asked, const State& state) {
  PersonRequest& request = asked.request;
  if (!request.act && !request.signs_in) return std::move(request);
  const Person* person = state.find_person(request.badge);
  PinCheck::Asked pins;
  pins.pin = std::exchange(asked.pin, {});
  const bool is_vain = person == nullptr || person->removed ||
                       (person->is_locked() && request.source != RequestSource::control);
  if (!is_vain) pins.seal = person->pin;
  if (request.act && sealed_pin_in(*request.act) != nullptr) {
    pins.new_pin = std::exchange(asked.new_pin, {});
  }
  pins.replaces_it = request.act && std::holds_alternative<ChangePin>(*request.act);
  forget(asked.new_pin);
  check_.ask(std::move(pins));
  looked_at_ = std::move(request);
  return std::nullopt;
}

}  // namespace linkmeter
