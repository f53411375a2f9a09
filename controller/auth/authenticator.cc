#include "controller/auth/authenticator.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "controller/auth/pin.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"
#include "proto/codec/operator_codec.h"
#include "proto/host/fault.h"
#include "proto/host/secret.h"

namespace linkmeter {

const Badge* witness_of(const PinRequest& request) {
  if (!request.request.act || request.witness_pin.empty()) return nullptr;
  const Badge* witness = second_pin_of(*request.request.act);
  const bool is_another =
      witness != nullptr && !witness->empty() && *witness != request.request.badge;
  return is_another ? witness : nullptr;
}

bool is_too_long(const PinRequest& request) {
  return request.pin.size() > limits::pin_bytes_max ||
         request.new_pin.size() > limits::pin_bytes_max ||
         request.witness_pin.size() > limits::pin_bytes_max ||
         request.request.badge.text().size() > limits::name_length_max;
}

void forget_pins(PinRequest& request) {
  forget(request.pin);
  forget(request.new_pin);
  forget(request.witness_pin);
}

void Authenticator::set_keys(PinKeys keys) {
  if (keys == keys_) return;
  keys_ = std::move(keys);
  is_outdated_ = is_busy();
}

std::optional<OperatorRequest> Authenticator::take(const State& state, Timestamp now,
                                                   const NeedsPin& needs_pin) {
  if (looked_at_) {
    std::optional<PinWorker::Found> found = check_.find();
    if (!found) return std::nullopt;
    if (found->failure != nullptr) return unchecked(found->failure);
    if (is_outdated_) {
      return unchecked(std::make_exception_ptr(Fault("the PIN key was replaced; try again")));
    }
    if (std::exchange(is_witness_, false)) {
      looked_at_->is_witness_good = found->is_good;
      return std::exchange(looked_at_, std::nullopt);
    }
    looked_at_->is_good = found->is_good;
    if (found->is_good && verify_witness(state, now)) return std::nullopt;
    forget(witness_pin_);
    OperatorRequest request = std::move(*std::exchange(looked_at_, std::nullopt));
    if (request.act) {
      std::string* sealed = new_pin_hash_in(*request.act);
      if (sealed != nullptr) *sealed = std::move(found->new_hash);
      auto* change = std::get_if<ChangePin>(&*request.act);
      if (change != nullptr) change->old_pin = std::move(found->old_hash);
      if (found->is_used_before) request.new_pin = Refusal::pin_used_before;
    }
    return request;
  }
  auto asked = next();
  if (!asked) return std::nullopt;
  if (!needs_pin || needs_pin(asked->request)) return begin(std::move(*asked), state, now);
  forget_pins(*asked);
  return std::move(asked->request);
}

std::optional<PinRequest> Authenticator::next() {
  for (std::size_t asked = 0; asked < sources_.size(); ++asked) {
    PinRequestSource& source = *sources_[next_source_];
    next_source_ = (next_source_ + 1) % sources_.size();
    if (auto request = source.next()) return request;
  }
  return std::nullopt;
}

OperatorRequest Authenticator::unchecked(const std::exception_ptr& failure) {
  is_witness_ = is_outdated_ = false;
  forget(witness_pin_);
  OperatorRequest request = std::move(*std::exchange(looked_at_, std::nullopt));
  request.is_good = false;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    request.unchecked = std::string("the PIN could not be verified: ") + error.what();
  }
  return request;
}

bool Authenticator::is_waiting() const {
  return !is_busy() &&
         std::any_of(sources_.begin(), sources_.end(),
                     [](const PinRequestSource* source) { return source->is_waiting(); });
}

const std::string& Authenticator::key_of(const Badge& badge, const State& state) const {
  return state.keys().before_pin_key.contains(badge) ? keys_.before : keys_.current;
}

// A requester who is also the witness, or a locked witness, is not valid: decide() rejects the
// request.
bool Authenticator::verify_witness(const State& state, Timestamp now) {
  const Badge* badge = looked_at_->act ? second_pin_of(*looked_at_->act) : nullptr;
  if (badge == nullptr || witness_pin_.empty() || *badge == looked_at_->badge) return false;
  const Person* witness = state.find_person(*badge);
  PinWorker::Asked pins;
  pins.pin = std::exchange(witness_pin_, {});
  if (witness != nullptr && !witness->removed && !witness->is_locked(now)) pins.seal = witness->pin;
  pins.key = key_of(*badge, state);
  check_.ask(std::move(pins));
  is_witness_ = true;
  return true;
}

std::optional<OperatorRequest> Authenticator::begin(PinRequest asked, const State& state,
                                                    Timestamp now) {
  OperatorRequest& request = asked.request;
  if (!request.act && !request.signs_in) return std::move(request);
  const Person* person = state.find_person(request.badge);
  PinWorker::Asked pins;
  pins.pin = std::exchange(asked.pin, {});
  const bool is_vain = person == nullptr || person->removed ||
                       (person->is_locked(now) && request.source != RequestSource::control);
  if (!is_vain) pins.seal = person->pin;
  pins.key = key_of(request.badge, state);
  pins.new_key = keys_.current;
  if (request.act && new_pin_hash_in(*request.act) != nullptr) {
    request.new_pin = check_new_pin(asked.new_pin, new_pin_badge(*request.act, request.badge));
    if (request.new_pin == Refusal::none) pins.new_pin = std::exchange(asked.new_pin, {});
  }
  pins.hash_only = request.act && std::holds_alternative<Recover>(*request.act);
  pins.replaces_it = request.act && std::holds_alternative<ChangePin>(*request.act);
  if (pins.replaces_it && !is_vain) {
    pins.previous_hash = person->pin_before;
    const bool is_current = pins.key == keys_.current;
    pins.other_key = is_current ? keys_.before : keys_.current;
  }
  forget(asked.new_pin);
  forget(witness_pin_);
  if (request.act && second_pin_of(*request.act) != nullptr) {
    witness_pin_ = std::exchange(asked.witness_pin, {});
  }
  forget(asked.witness_pin);
  check_.ask(std::move(pins));
  looked_at_ = std::move(request);
  return std::nullopt;
}

}  // namespace linkmeter
