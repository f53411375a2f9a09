// Pages: everything that the controller serves over HTTP, as the event loop sees it: HttpApi for
// requests and SignPublisher for what is published.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/signs/sign_record.h"
#include "controller/store/journal.h"
#include "controller/telemetry/metrics.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"
#include "controller/web/http_api.h"
#include "controller/web/sign_publisher.h"
#include "proto/http/server.h"

namespace linkmeter {

class PagesService final : public Service {
 public:
  // Listens at once. Throws Fault. The subjects and `presence` must outlive this. `serial_signs`:
  // the folder in which serial signs write their records (sign_record.h). REQUIRES: made after
  // ShutdownSignal.
  PagesService(const WebServer::Setup& setup, const HttpApi::Subjects& subjects,
               const TablePresence& presence, Notices notices,
               const std::filesystem::path& serial_signs);

  // What every document says of the cluster (cluster_members()), from now on. nullptr: nothing, and
  // there is no page of the nodes any more.
  void set_cluster(std::function<Json()> cluster);
  [[nodiscard]] HttpApi& api() { return api_; }
  [[nodiscard]] std::string url() { return api_.server().url(); }
  [[nodiscard]] std::optional<int> descriptor() const override { return api_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds uptime) const override;
  void on_turn(const CommittedTurn& done) override;
  void on_tables_changed(const std::vector<TablePresence::Change>& changes,
                         const State& /*state*/) override {
    publisher_.note(changes);
  }
  void serve(Moment now) override;
  [[nodiscard]] WebServer::Counts counts() { return api_.server().counts(); }

 private:
  static constexpr std::chrono::microseconds idle_look_interval{5'000'000};

  [[nodiscard]] Json serial_signs_json(Timestamp as_of) const;
  // The time of what is published now.
  [[nodiscard]] Moment shown(Moment now);

  RecordReader serial_signs_;
  HttpApi api_;
  SignPublisher publisher_;
  std::chrono::microseconds idle_look_due_{};
  std::chrono::microseconds behind_{};  // of what is being published
};

// The address of the pages: from the option, else from the floor file, else the default.
struct PagesAddress {
  WebAddress address;
  bool is_asked_for = false;  // not the default: a failure to listen there is a Fault
};
PagesAddress pages_address(const std::string& option, const Endpoints& endpoints);

}  // namespace linkmeter
