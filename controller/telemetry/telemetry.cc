#include "controller/telemetry/telemetry.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <system_error>
#include <utility>

#include "controller/store/journal_signature.h"

namespace linkmeter {
namespace {

std::string status_text(const Metrics::Gauges& gauges, bool journal_is_signed) {
  std::string text = std::to_string(gauges.tables_linked) + " tables linked, " +
                     std::to_string(gauges.tables_lost) + " lost; " +
                     std::to_string(gauges.links_operating) + " links operate, " +
                     std::to_string(gauges.links_suspended) + " suspended";
  if (!journal_is_signed) {
    text +=
        "; the journal is not signed, " + std::to_string(gauges.unsigned_entries) + " entries wait";
  }
  return text;
}

}  // namespace

Telemetry::Telemetry(const std::filesystem::path& metrics_file, Metrics& metrics,
                     SystemdNotify& service_manager, Subjects subjects)
    : metrics_(metrics),
      service_manager_(service_manager),
      file_(metrics_file),
      subjects_(std::move(subjects)) {}

void Telemetry::on_turn(const CommittedTurn& done) {
  const std::size_t received = done.messages + done.requests;
  if (received == 0) return;
  metrics_.note(done.turn, done.state.floor(), received, done.now.uptime - done.begun);
}

void Telemetry::serve(Moment now) {
  service_manager_.beat(now.uptime);
  if (!file_.is_due(now.uptime)) return;
  collect();
  const Metrics::Gauges values = gauges(now.as_of);
  const bool is_signed = subjects_.signing == nullptr || subjects_.signing->works();
  service_manager_.status(status_ ? status_() : status_text(values, is_signed));
  file_.write(metrics_.text(values), now.uptime);
}

void Telemetry::collect() {
  const HealthMonitor& health = subjects_.health;
  if (const auto at = health.verified_at()) metrics_.set_self_check({*at, true});
  if (const auto at = health.found_difference_at()) metrics_.set_self_check({*at, false});
  if (const auto progress = health.verified()) metrics_.set_verification(*progress);
  if (subjects_.signing != nullptr) {
    metrics_.set_signer({subjects_.signing->works(), subjects_.signing->signed_at()});
  }
  for (const auto& set : sources_) set(metrics_);
}

Metrics::Gauges Telemetry::gauges(Timestamp as_of) const {
  const State& state = subjects_.controller.state();
  Metrics::Gauges gauges;
  gauges.as_of = as_of;
  for (std::uint32_t table = 0; table < state.floor().tables.size(); ++table) {
    if (!state.session(TableIndex(table)).frozen().empty()) ++gauges.tables_frozen;
    switch (subjects_.presence.table(TableIndex(table)).standing) {
      case TableLinkState::never_seen: ++gauges.tables_never_seen; break;
      case TableLinkState::linked: ++gauges.tables_linked; break;
      case TableLinkState::lost: ++gauges.tables_lost; break;
      case TableLinkState::not_seen: ++gauges.tables_not_seen; break;
    }
  }
  for (std::uint32_t link = 0; link < state.floor().links.size(); ++link) {
    const bool is_suspended = !state.link(LinkIndex(link)).suspended.empty();
    ++(is_suspended ? gauges.links_suspended : gauges.links_operating);
  }
  gauges.journal_entries = subjects_.journal.head().entry.value();
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(subjects_.journal_file, unknown);
  if (!unknown) gauges.journal_bytes = bytes;
  gauges.map_used_ppm =
      static_cast<std::uint32_t>(1'000'000 * subjects_.journal.room().used_fraction);
  gauges.unsigned_entries = unsigned_entries(state);
  return gauges;
}

std::optional<std::chrono::microseconds> Telemetry::due(std::chrono::microseconds uptime) const {
  return uptime + std::min(service_manager_.time_until_beat(uptime), file_.time_until_due(uptime));
}

}  // namespace linkmeter
