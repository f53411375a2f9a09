// EtcdTls: what a node needs for TLS to etcd, and the reason why a TLS connection fails. gRPC only
// reports that it failed.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "proto/host/web_address.h"

namespace linkmeter {

// As PEM.
struct EtcdTls {
  std::string ca;           // the authorities that sign etcd's certificates
  std::string certificate;  // of this node, with its chain; "": none
  std::string key;          // of that certificate, or ""
};

// Throws Fault, with the file, if one cannot be read, if it is not what it should be, or if the
// node's certificate is not valid now. `certificate` and `key` may both be empty.
EtcdTls read_etcd_tls(const std::filesystem::path& ca, const std::filesystem::path& certificate,
                      const std::filesystem::path& key);

// Connects to the member and returns why TLS fails, for people; "" if TLS works, or if no
// connection comes about. Takes about `timeout` at most, and the time to look up a host's name.
std::string etcd_tls_mistake(const WebAddress& member, const EtcdTls& tls,
                             std::chrono::milliseconds timeout);

}  // namespace linkmeter
