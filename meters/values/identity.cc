#include "meters/values/identity.h"

#include <algorithm>

#include "meters/values/limits.h"

namespace linkmeter {
namespace {

// Listed explicitly, so that the result does not depend on the locale.
bool is_name_character(char character) {
  return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
         (character >= '0' && character <= '9') ||
         std::string_view("._:/+-").find(character) != std::string_view::npos;
}

}  // namespace

bool is_well_formed_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::name_length_max &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

}  // namespace linkmeter
