#include "meters/facts/award.h"

namespace linkmeter {

std::string_view name(AwardKind kind) {
  switch (kind) {
    case AwardKind::line: return "line";
    case AwardKind::envy: return "envy";
    case AwardKind::magic_card: return "magic_card";
    case AwardKind::lucky_bonus: return "lucky_bonus";
  }
  return "unknown";
}

}  // namespace linkmeter
