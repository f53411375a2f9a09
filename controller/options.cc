#include "controller/options.h"

#include <CLI/CLI.hpp>

#include "controller/cluster/etcd_settings.h"
#include "controller/integrity/token_key.h"
#include "controller/store/data_folder.h"
#include "proto/host/command_line.h"
#include "proto/host/endpoint.h"
#include "proto/host/fault.h"
#include "proto/host/web_address.h"

namespace linkmeter {
namespace {

// A size with a unit, e.g. 64M.
template <class Bytes>
void add_size(CLI::App& app, const char* name, Bytes& bytes, const char* says) {
  app.add_option_function<std::string>(
         name, [&bytes](const std::string& text) { bytes = *parse_size(text); }, says)
      ->check([](const std::string& text) {
        return parse_size(text) ? "" : "is \"" + text + "\"; a size is bytes, or e.g. 64M or 2G";
      });
}

void add_check_options(CLI::App& app, Options& options) {
  app.add_flag("--quick-check", options.quick_check,
               "At the start, verify the journal from the last passed check instead of entry 1");
  app.add_option("--check-first", options.check_first,
                 "Number of entries verified before the controller serves; the older "
                 "entries of a longer journal are verified in the background")
      ->transform(a_number(0))
      ->capture_default_str();
  app.add_option("--recount", options.recount_seconds,
                 "Seconds in which the balances of every link are checked once")
      ->transform(a_number(1, 86'400))
      ->capture_default_str();
  app.add_option("--signer", options.signer,
                 "The key in a token that signs the journal, as pkcs11:token=NAME;object=NAME"
                 "?module-path=FILE&pin-source=FILE, instead of the key file in the data folder")
      ->check([](const std::string& text) { return token_uri_mistake(text); });
  app.add_option("--sign-every", options.sign_seconds,
                 "Seconds between signatures of the journal, while entries come")
      ->transform(a_number(1, 86'400))
      ->capture_default_str();
  add_size(app, "--map-size", options.map_bytes, "The largest size of the journal (64G)");
  add_size(app, "--margin", options.margins.bytes_least,
           "Links suspend themselves when less is free on the journal's disk or in its map (64M)");
}

void add_cluster_options(CLI::App& app, ClusterOptions& options) {
  auto* const etcd =
      app.add_option("--etcd", options.etcd,
                     "Members of the etcd cluster through which controllers of one house replicate "
                     "their journal: https://HOST:2379,... (none: this controller is alone)")
          ->delimiter(',')
          ->check([](const std::string& text) { return etcd_endpoint_mistake(text); });
  const auto add = [&app, etcd](const char* name, auto& value, const char* says) {
    return app.add_option(name, value, says)->needs(etcd);
  };
  add("--node", options.node,
      "The name that this node must have; the start fails if its data folder has another one");
  add("--etcd-ca", options.ca, "The authority that signed the certificates of etcd (PEM)");
  auto* const certificate = add("--etcd-certificate", options.certificate,
                                "This node's client certificate for etcd (PEM); with --etcd-key");
  auto* const key = add("--etcd-key", options.key, "The certificate's private key (PEM)");
  certificate->needs(key);
  key->needs(certificate);
  auto* const user = add("--etcd-user", options.user, "The user of etcd");
  auto* const password =
      add("--etcd-password-file", options.password_file, "A file with the user's password");
  user->needs(password);
  password->needs(user);
  add("--announce", options.announce,
      "Where tables and other nodes reach this node: tcp://HOST:PORT (the address at which it "
      "listens)")
      ->check(is_endpoint(EndpointUse::connect))
      ->check([](const std::string& text) {
        const bool is_any = text.starts_with("tcp://0.0.0.0:") || text.starts_with("tcp://[::]:");
        return is_any ? "is \"" + text + "\"; tables need the address of this machine" : "";
      });
  add("--node-listen", options.entries,
      "Where other nodes fetch old entries, slips and day reports, such as tcp://0.0.0.0:6061 "
      "(not served); they connect to this port at the host of --announce")
      ->check(is_endpoint(EndpointUse::listen));
  add("--lease", options.lease_seconds,
      "Seconds without a renewal after which etcd ends the writer's lease, and another node takes "
      "over; etcd's own settings may make it longer")
      ->transform(a_number(1, 60))
      ->capture_default_str();
  app.add_flag("--create-cluster", options.creates,
               "Put this node's journal into an etcd that holds none; or, on a node that left its "
               "cluster, replace the old head. Use it once, on the node with the newest journal")
      ->needs(etcd);
}

}  // namespace

Endpoints listening_endpoints(const Options& options, const FloorFile& floor) {
  Endpoints chosen = floor.endpoints;
  if (!options.listen.empty()) chosen.controller = options.listen;
  if (!options.feed.empty()) chosen.feed = options.feed;
  if (chosen.controller == chosen.feed && !chosen.feed.ends_with(":*")) {
    throw Fault("the controller and its feed cannot both listen at " + chosen.feed +
                "; each needs an endpoint of its own");
  }
  return chosen;
}

std::string announced(const std::string& listening, const ClusterOptions& options) {
  if (options.announce.empty() || !ipc_path(listening).empty()) return listening;
  return options.announce.substr(0, options.announce.rfind(':')) +
         listening.substr(listening.rfind(':'));
}

WebCertificate pages_certificate(const Options& options) {
  if (!options.certificate.empty()) return read_certificate(options.certificate, options.key);
  const std::filesystem::path keys = keys_path(options.data);
  // A data folder from before there were pages has none.
  if (!has_certificate(keys)) write_certificate(keys, make_certificate(own_hosts()));
  return read_certificate(keys);
}

std::filesystem::path metrics_file(const Options& options) {
  return options.metrics.empty() ? options.data / "metrics.prom" : options.metrics;
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--floor", options.floor, "The floor file")->required();
  app.add_option("--data", options.data, "The data folder")->required();
  const auto is_where_to_listen = is_endpoint(EndpointUse::listen);
  app.add_option("--listen", options.listen, "Where tables connect, instead of the floor file's")
      ->check(is_where_to_listen);
  app.add_option("--feed", options.feed, "Where signs subscribe, instead of the floor file's")
      ->check(is_where_to_listen);
  app.add_option("--web", options.web,
                 "Where pages are served, instead of the floor file's: http://127.0.0.1:PORT, "
                 "https://HOST:PORT or none (http://127.0.0.1:6059)")
      ->check([](const std::string& text) { return web_address_mistake(text); });
  auto* const certificate = app.add_option(
      "--certificate", options.certificate,
      "The TLS certificate of the pages (PEM), instead of the one init made; with --key");
  auto* const key = app.add_option("--key", options.key, "The certificate's private key (PEM)");
  certificate->needs(key);
  key->needs(certificate);
  app.add_option("--metrics", options.metrics,
                 "The file of metrics (default: metrics.prom in the data folder)");
  auto* const staff =
      app.add_option("--staff-socket", options.staff_socket,
                     "Where linkmeter --socket of other users reaches the controller: a path in a "
                     "folder that nobody else can write (none)");
  app.add_option("--staff-group", options.staff_group,
                 "The group that may connect there (the controller's own)")
      ->needs(staff);
  app.add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  add_check_options(app, options);
  add_cluster_options(app, options.cluster);
}

}  // namespace linkmeter
