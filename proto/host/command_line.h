// Command-line behaviour that all programs share: --version, and usage errors, which name the
// mistake and exit with code 2.
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
// A validator for CLI::Option::check.
std::function<std::string(const std::string&)> is_endpoint(EndpointUse use);
// A transform (CLI::Option::transform) for an option that takes a whole number from `least` to
// `most`, written as decimal digits only. CLI11's own conversion also reads octal and hexadecimal
// numbers, and wraps numbers that are too large.
CLI::Validator a_number(std::uint64_t least,
                        std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
// Makes an empty value a usage error for every option and argument of the program and its commands,
// except notes. A script passes an empty value when its variable is not set; "no file" or "no link"
// would then be something else than the user wanted. REQUIRES: all options are declared.
void refuse_empty_values(CLI::App& app);
// Prints what parse() threw (a usage error, help or version) and returns the exit code.
int print_usage_error(const CLI::App& app, const CLI::ParseError& error,
                      std::ostream& out = std::cout, std::ostream& wrong = std::cerr);

}  // namespace linkmeter
