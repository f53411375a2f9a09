// EtcdSettings: where the members of an etcd cluster are, and how a node shows who it is.
//
// Law: plain http only within this machine. Entries hold names and amounts, so a network sees
// them encrypted; there is no setting against that.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/host/web_address.h"

namespace linkmeter {

struct EtcdSettings {
  std::vector<std::string> endpoints;         // of members, at least one
  std::filesystem::path ca_file = {};         // PEM; for https
  std::filesystem::path certificate = {};     // of this node, PEM, with its chain; "": none
  std::filesystem::path key = {};             // of that certificate, PEM
  std::string user = {};                      // of etcd; "": none
  std::filesystem::path password_file = {};   // one line, not readable by everybody
  std::chrono::milliseconds deadline{2'000};  // of each call
};

// Returns why the endpoint is invalid, as the rest of a sentence that begins with the option: "is
// \"a:2379\"; ...". Returns "" if it is valid: https://HOST:PORT, or http://HOST:PORT if HOST is
// this machine.
std::string etcd_endpoint_mistake(std::string_view endpoint);

// nullopt: the endpoint is invalid.
std::optional<WebAddress> parse_etcd_endpoint(std::string_view endpoint);

// All of them. Throws Fault if one is invalid, or if the settings name no endpoint.
std::vector<WebAddress> parse_etcd_endpoints(const EtcdSettings& settings);

// "": there is no user. Throws Fault, with the file. The caller overwrites it (forget()).
std::string read_etcd_password(const EtcdSettings& settings);

}  // namespace linkmeter
