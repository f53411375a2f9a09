#include "controller/telemetry/telemetry.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "controller/store/journal_signature.h"

namespace linkmeter {

namespace {

Metrics::Gauges gauges_of(const State& state, const TablePresence& presence) {
  Metrics::Gauges gauges;
  for (std::uint32_t table = 0; table < state.floor().tables.size(); ++table) {
    if (!state.session(TableIndex(table)).frozen().empty()) ++gauges.tables_frozen;
    switch (presence.table(TableIndex(table)).standing) {
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
  return gauges;
}

std::string status_of(const Metrics::Gauges& gauges) {
  return std::to_string(gauges.tables_linked) + " tables linked, " +
         std::to_string(gauges.tables_lost) + " lost; " + std::to_string(gauges.links_operating) +
         " links operate, " + std::to_string(gauges.links_suspended) + " suspended";
}

}  // namespace

void Telemetry::note(const HealthMonitor& guard) {
  if (const auto at = guard.verified_at()) metrics_.set_self_check({*at, true});
  if (const auto at = guard.found_difference_at()) metrics_.set_self_check({*at, false});
  if (const auto progress = guard.verified()) metrics_.set_verification(*progress);
}

void Telemetry::note_signer(const std::string& trouble, std::optional<Timestamp> signed_now) {
  signer_.works = trouble.empty();
  if (signed_now) signer_.signed_at = signed_now;
  metrics_.set_signer(signer_);
}

void Telemetry::serve(const State& state, const TablePresence& presence, const Journal& journal,
                      const Moment& now) {
  notice_.beat(now.uptime);
  if (!file_.is_due(now.uptime)) return;
  Metrics::Gauges gauges = gauges_of(state, presence);
  gauges.as_of = now.as_of;
  gauges.journal_entries = journal.head().entry.value();
  std::error_code unknown;
  const std::uintmax_t bytes = std::filesystem::file_size(journal_file_, unknown);
  if (!unknown) gauges.journal_bytes = bytes;
  gauges.map_used_ppm = static_cast<std::uint32_t>(1'000'000 * journal.room().used_fraction);
  gauges.unsigned_entries = unsigned_entries(state);
  notice_.status(status_of(gauges) +
                 (signer_.works ? ""
                                : "; the journal is not signed, " +
                                      std::to_string(gauges.unsigned_entries) + " entries wait"));
  file_.write(metrics_.text(gauges), now.uptime);
}

std::chrono::milliseconds Telemetry::time_until_due(std::chrono::microseconds uptime) const {
  return std::min(notice_.time_until_beat(uptime), file_.time_until_due(uptime));
}

}  // namespace linkmeter
