// Endpoint: where a program listens or connects, as written in an option, in the environment or in
// a floor file: tcp://HOST:PORT or ipc://PATH.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter {

// A listener may write "*" for the interface or the port; a client may not.
enum class EndpointUse : std::uint8_t { connect, listen };

// Returns why the endpoint is invalid, as the rest of a sentence that begins with the option or
// key: "is \"7001\"; an endpoint is ...". Returns "" if it is valid.
std::string endpoint_mistake(std::string_view endpoint, EndpointUse use);

// The same of a list of endpoints that are valid: one may be named only once.
std::string endpoint_list_mistake(const std::vector<std::string>& endpoints, std::size_t count_max);

// Whether the endpoint is tcp://HOST:PORT whose host is a name, and not an address.
bool has_host_name(std::string_view endpoint);

// Returns the path of ipc://PATH, or "" for any other endpoint.
std::string_view ipc_path(std::string_view endpoint);

}  // namespace linkmeter
