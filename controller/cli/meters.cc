#include <iostream>

#include "controller/cli/commands.h"
#include "controller/meters_json.h"

namespace linkmeter::cli {

int meters(const std::filesystem::path& data, bool as_json) {
  if (!as_json) return watch(data, true);
  const State state = current_state(*open_data(data));
  std::cout << meters_json(state).dump(2) << '\n';
  return 0;
}

}  // namespace linkmeter::cli
