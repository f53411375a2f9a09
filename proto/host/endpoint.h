// Endpoint: where a program listens or connects, as people write it in an option, in the
// environment or in a floor file: tcp://HOST:PORT or ipc://PATH.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace linkmeter {

// Who listens may leave the interface or the port open with a "*"; who connects may not.
enum class EndpointUse : std::uint8_t { connect, listen };

// What is wrong with it, as a sentence goes on after the name of the option or key: "is \"7001\";
// an endpoint is ...". "" if nothing is.
std::string endpoint_mistake(std::string_view endpoint, EndpointUse use);

// The path of ipc://PATH; "" of any other endpoint.
std::string_view ipc_path(std::string_view endpoint);

}  // namespace linkmeter
