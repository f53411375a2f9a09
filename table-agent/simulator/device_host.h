// Device host: a simulated device at a Unix socket, where an agent connects to it as to a real one.
#pragma once

#include <filesystem>

#include "table-agent/simulator/simulated_device.h"

namespace linkmeter {

// Serves one agent after the other until the device is over or `stop_descriptor` can be read.
// Throws Fault if it cannot listen at `path`.
void host(SimulatedDevice& device, const std::filesystem::path& path, int stop_descriptor);

}  // namespace linkmeter
