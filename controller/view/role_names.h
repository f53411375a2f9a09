// Role names: a person's roles, and the rights they give, by name, for pages and panels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "meters/values/person.h"

namespace linkmeter {

// "validate_claims".
std::string_view right_name(Right right);
std::vector<std::string> role_names(const Person& person);
// Of all the person's roles; empty if a PIN change is required first.
std::vector<std::string> right_names(const Person& person);

}  // namespace linkmeter
