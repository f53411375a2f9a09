#include "meters/award.h"

namespace linkmeter {

std::string_view name(AwardKind kind) {
  switch (kind) {
    case AwardKind::line: return "line";
    case AwardKind::envy: return "envy";
  }
  return "unknown";
}

}  // namespace linkmeter
