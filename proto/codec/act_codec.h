// Act codec: the acts of people, each in one place. One person's act is a part of a request on the
// operator's socket; an act under dual control is also kept in the journal and in the state tables.
// Persons and enrolments are encoded here too, because acts and entry 1 hold them.
//
// Decoding is total: an unknown department, role or reason gives nullopt.
#pragma once

#include <optional>

#include "meters/facts/operator_command.h"
#include "meters/values/enrolment.h"
#include "meters/values/person.h"

namespace linkmeter::acts {
class DualAct;
class Enrolment;
class Person;
}  // namespace linkmeter::acts

namespace linkmeter::control {
class Request;
}  // namespace linkmeter::control

namespace linkmeter::parts {

void encode_person(const Person& person, acts::Person& message);
std::optional<Person> decode_person(const acts::Person& message);
void encode_enrolment(const Enrolment& enrolment, acts::Enrolment& message);
std::optional<Enrolment> decode_enrolment(const acts::Enrolment& message);

void encode_act(const DualControlCommand& act, acts::DualAct& message);
std::optional<DualControlCommand> decode_act(const acts::DualAct& message);

// Not included: the PINs and recovery codes as people type them. They are the request's own fields,
// and operator_codec encodes them.
void encode_act(const OperatorCommand& act, control::Request& message);
std::optional<OperatorCommand> decode_act(const control::Request& message);

}  // namespace linkmeter::parts
