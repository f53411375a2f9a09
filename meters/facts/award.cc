#include "meters/facts/award.h"

#include "meters/values/enum_names.h"

namespace linkmeter {

std::string_view name(AwardKind kind) {
  static constexpr EnumNames<AwardKind::line, AwardKind::lucky_bonus> names{
      "line", "envy", "magic_card", "lucky_bonus"};
  return names.of(kind);
}

}  // namespace linkmeter
