#include "meters/facts/table_command.h"

namespace linkmeter {

bool Draw::contradicts(const Draw& later) const {
  return (magic && later.magic && *magic != *later.magic) ||
         (seat && later.seat && *seat != *later.seat);
}

Draw Draw::with(const Draw& later) const {
  return Draw{later.magic ? later.magic : magic, later.seat ? later.seat : seat};
}

}  // namespace linkmeter
