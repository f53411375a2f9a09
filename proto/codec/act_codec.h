// Act codec: the acts of people, each in one place. One person's act is a part of a request on the
// operator's socket; an act under dual control is also kept in the journal and in the state tables.
// Persons and enrolments are here too, because acts and entry 1 hold them.
//
// Decoding is total: an unknown department, role or reason gives false or nullopt.
#pragma once

#include <optional>

#include "meters/facts/operator_command.h"
#include "meters/values/enrolment.h"
#include "meters/values/person.h"
#include "proto/codec/field_codec.h"

namespace linkmeter::acts {
class DualAct;
}  // namespace linkmeter::acts

namespace linkmeter::control {
class Request;
}  // namespace linkmeter::control

namespace linkmeter {

bool serialize(Of<Person> auto& person, auto& message) {
  return FIELD(person.badge, badge) && FIELD(person.name, name) &&
         FIELD(person.department, department) && FIELD(person.roles, roles) &&
         FIELD(person.pin, pin) && FIELD(person.failures, failures) &&
         FIELD(person.removed, removed) && FIELD(person.pin_set_by_other, pin_is_given) &&
         FIELD(person.locked_until, locked_until_us) && FIELD(person.known_to, known_to) &&
         FIELD(person.pin_before, pin_before);
}

bool serialize(Of<Enrolment> auto& enrolment, auto& message) {
  return FIELD(enrolment.kind, kind) && FIELD(enrolment.name, name) && FIELD(enrolment.key, key);
}

bool serialize(const DualControlCommand& act, acts::DualAct& message);
bool serialize(DualControlCommand& act, const acts::DualAct& message);

namespace parts {

// Not included: the PINs and recovery codes as people type them. They are the request's own fields,
// and operator_codec encodes them.
void encode_act(const OperatorCommand& act, control::Request& message);
std::optional<OperatorCommand> decode_act(const control::Request& message);

}  // namespace parts
}  // namespace linkmeter
