#include "meters/state/slip.h"

#include "meters/values/enum_names.h"

namespace linkmeter {

std::string_view name(SlipState state) {
  static constexpr EnumNames<SlipState::issued, SlipState::paid> names{"issued", "void", "paid"};
  return names.of(state);
}

}  // namespace linkmeter
