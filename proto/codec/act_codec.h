// Act codec: persons, and what takes two of them, as the journal and the state tables write them.
// Decoding never trusts: an unknown department, role or reason is no act.
#pragma once

#include <optional>

#include "meters/facts/operator_command.h"
#include "meters/values/enrolment.h"
#include "meters/values/person.h"

namespace linkmeter::journal {
class DualAct;
class Enrolment;
class Person;
}  // namespace linkmeter::journal

namespace linkmeter::parts {

void encode_person(const Person& person, journal::Person& message);
std::optional<Person> decode_person(const journal::Person& message);
void encode_enrolment(const Enrolment& enrolment, journal::Enrolment& message);
std::optional<Enrolment> decode_enrolment(const journal::Enrolment& message);
void encode_act(const DualControlCommand& act, journal::DualAct& message);
std::optional<DualControlCommand> decode_act(const journal::DualAct& message);

}  // namespace linkmeter::parts
