#include "meters/facts/entry.h"

namespace linkmeter {

std::string_view name(const Fact& fact) {
  return std::visit([](const auto& one) { return one.fact_name; }, fact);
}

}  // namespace linkmeter
