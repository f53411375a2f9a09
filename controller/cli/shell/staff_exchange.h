// Staff exchange: one question over the staff socket, and its answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

#include "controller/cli/shell/operator_client.h"
#include "proto/host/file_descriptor.h"

namespace linkmeter::cli {

// A connection to the controller. Throws Fault, in one sentence, where none can be made.
Descriptor connect_to_staff_socket(const std::filesystem::path& socket);
// The answer. Throws Fault where nothing was asked, and Unanswered where nobody knows what became
// of the question; `what_now` stands at its end.
std::string staff_exchange(const std::filesystem::path& socket, const Exchange& asked);

}  // namespace linkmeter::cli
