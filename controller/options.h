// Options: the controller's command-line options.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/reader/catalogue_file.h"
#include "config/reader/floor_file.h"
#include "controller/integrity/disk_space.h"
#include "controller/integrity/startup.h"
#include "controller/store/lmdb_journal.h"
#include "proto/host/certificate.h"

namespace CLI {
class App;
}

namespace linkmeter {

// How this controller is a node of a cluster (controller/cluster/).
struct ClusterOptions {
  std::vector<std::string> etcd;  // endpoints of members; empty: this controller is the only one
  std::filesystem::path ca, certificate, key;  // of the connections to etcd; "": none
  std::string user;                            // of etcd; "": none
  std::filesystem::path password_file;
  std::string node;      // its name; "": the one in the data folder
  std::string announce;  // where tables reach this node; "": where it listens
  std::string entries;   // where it gives entries to other nodes; "": it gives none
  std::uint32_t lease_seconds = 3;
  bool creates = false;  // puts the journal into a cluster that has none
};

struct Options {
  std::filesystem::path floor;
  std::filesystem::path data;
  std::filesystem::path catalogue = default_catalogue_directory();
  std::string listen;  // "": the floor file's address
  std::string feed;
  std::string web;
  std::filesystem::path certificate, key;  // "": those in the data folder
  bool quick_check = false;
  std::uint64_t check_first = check_first_default;
  std::size_t map_bytes = LmdbJournal::map_bytes_default;
  DiskReserve margins;
  std::uint32_t recount_seconds = 60;
  std::string signer;  // the URI of a key in a token; "": the key file in the data folder
  std::uint32_t sign_seconds = 60;
  std::filesystem::path metrics;       // "": in the data folder
  std::filesystem::path staff_socket;  // "": none
  // The group that may connect to it; "": the controller's own group.
  std::string staff_group;
  ClusterOptions cluster;
};

// The listening addresses: from the options, else from the floor file. Throws Fault if both are the
// same.
Endpoints listening_endpoints(const Options& options, const FloorFile& floor);
// Where other nodes reach the endpoint at which this one listens: at the host of --announce.
std::string announced(const std::string& listening, const ClusterOptions& options);
// The certificate of the pages: from the options, else the one in the data folder, which is made if
// there is none. Throws Fault.
WebCertificate pages_certificate(const Options& options);

// The file of the metrics: from the options, else the one in the data folder.
std::filesystem::path metrics_file(const Options& options);

// Adds all options to the command line. The parser rejects invalid values and names the option.
void add_options(CLI::App& app, Options& options);

}  // namespace linkmeter
