// Command line: what all our programs answer alike: --version, and a wrong usage, which names what
// is wrong and ends with exit code 2.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>
#include <string>

#include "meters/edge/endpoint.h"

namespace linkmeter {

constexpr int exit_usage = 2;

std::string program_version();  // "0.2.0"
void add_version(CLI::App& app);
// For CLI::Option::check.
std::function<std::string(const std::string&)> is_endpoint(EndpointUse use);
// Tells people what parse() threw, help and version too, and returns the exit code.
int told_usage(const CLI::App& app, const CLI::ParseError& error, std::ostream& out = std::cout,
               std::ostream& wrong = std::cerr);

}  // namespace linkmeter
