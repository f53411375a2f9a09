// What a page or a panel is told of a person: his roles, and what they let him do, by name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "meters/values/person.h"

namespace linkmeter {

// "validate_claims".
std::string_view right_name(Right right);
std::vector<std::string> role_names(const Person& person);
// Of all his roles; empty where he may do nothing before his PIN is his own.
std::vector<std::string> right_names(const Person& person);

}  // namespace linkmeter
