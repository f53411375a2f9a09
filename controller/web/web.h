// Pages: all that the controller serves over HTTP, as the loop of turns sees it.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/signs/sign_record.h"
#include "controller/store/journal.h"
#include "controller/telemetry/metrics.h"
#include "controller/time/moment.h"
#include "controller/turn/controller.h"
#include "controller/turn/service.h"
#include "controller/turn/table_presence.h"
#include "controller/web/api.h"
#include "controller/web/sign_board.h"
#include "proto/http/server.h"

namespace linkmeter {

class Pages final : public Service {
 public:
  // Listens at once. Throws Fault. All but the setup and the notices must outlive this.
  Pages(const WebServer::Setup& setup, const Controller& controller, const Journal& journal,
        const TablePresence& presence, Notices notices);

  [[nodiscard]] HttpApi& api() { return api_; }
  // Signs on a line write their records into this folder (sign_record.h).
  void watch_line_signs(const std::filesystem::path& folder);
  [[nodiscard]] SignBoard& board() { return board_; }
  [[nodiscard]] std::string url() { return api_.server().url(); }
  [[nodiscard]] std::optional<int> descriptor() const override { return api_.descriptor(); }
  [[nodiscard]] std::optional<std::chrono::microseconds> due(
      std::chrono::microseconds uptime) const override;
  void on_turn(const CommittedTurn& done) override;
  void on_tables_changed(const std::vector<TablePresence::Change>& changes,
                         const State& /*state*/) override {
    board_.note(changes);
  }
  void serve(Moment now) override;
  [[nodiscard]] WebServer::Counts counts() { return api_.server().counts(); }

 private:
  static constexpr std::chrono::microseconds idle_look_interval{5'000'000};

  std::unique_ptr<RecordReader> line_signs_;
  HttpApi api_;
  SignBoard board_;
  std::chrono::microseconds idle_look_due_{};
};

// Where pages are to be: as the option says, else as the floor file does, else as always.
struct PagesAddress {
  WebAddress address;
  bool is_asked_for = false;  // somebody said so: pages that cannot be there are a Fault
};
PagesAddress pages_address(const std::string& option, const Endpoints& endpoints);

}  // namespace linkmeter
