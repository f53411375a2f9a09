#include <iostream>

#include "controller/cli/shell/command.h"
#include "controller/view/meters_json.h"

namespace linkmeter::cli {

int meters(const Source& from, bool as_json) {
  if (!as_json) return watch(from, true);
  const State state = current_state(*open_data(from));
  std::cout << meters_json(state).dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
