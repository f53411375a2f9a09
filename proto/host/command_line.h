// Command line: what all our programs answer alike: --version, and a wrong usage, which names what
// is wrong and ends with exit code 2.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <iostream>
#include <limits>
#include <string>

#include "proto/host/endpoint.h"

namespace linkmeter {

constexpr int exit_usage = 2;

std::string program_version();  // "0.2.0"
void add_version(CLI::App& app);
// For CLI::Option::check.
std::function<std::string(const std::string&)> is_endpoint(EndpointUse use);
// For CLI::Option::transform of an option that takes a whole number from `least` to `most`: decimal
// digits and nothing else. The library's own conversion also reads octal and hexadecimal numbers,
// and wraps what is too large.
CLI::Validator a_number(std::uint64_t least,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
// Makes an empty value wrong usage, for every option and argument of the program and its commands
// but notes: a script gives one where its variable is not set, and "no file" or "no link" would be
// something else than what was asked. REQUIRES: all options are declared.
void refuse_empty_values(CLI::App& app);
// Tells people what parse() threw, help and version too, and returns the exit code.
int print_usage_error(const CLI::App& app, const CLI::ParseError& error,
                      std::ostream& out = std::cout, std::ostream& wrong = std::cerr);

}  // namespace linkmeter
