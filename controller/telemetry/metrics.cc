#include "controller/telemetry/metrics.h"

#include <spdlog/spdlog.h>
#include <algorithm>
#include <string_view>
#include <utility>

#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"

namespace linkmeter {

namespace {

const std::vector<std::int64_t> time_bounds_us = {50,      100,     250,       500,      1'000,
                                                  2'500,   5'000,   10'000,    25'000,   50'000,
                                                  100'000, 250'000, 1'000'000, 5'000'000};
const std::vector<std::int64_t> message_bounds = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1'024, 4'096};

// Millionths as a decimal number: "0.00025".
std::string millionths(std::int64_t value) {
  std::string fraction = std::to_string(1'000'000 + value % 1'000'000).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  return std::to_string(value / 1'000'000) + (fraction.empty() ? "" : "." + fraction);
}

std::string written(std::int64_t value, Histogram::Unit unit) {
  return unit == Histogram::Unit::microsecond ? millionths(value) : std::to_string(value);
}

std::string head(const std::string& name, const char* type, const char* help) {
  return "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
}

// Escapes a label value: the format has three escapes.
std::string label(std::string_view value) {
  std::string text;
  for (const char letter : value) {
    if (letter == '\\' || letter == '"') text += '\\';
    text += letter == '\n' ? std::string("\\n") : std::string(1, letter);
  }
  return "\"" + text + "\"";
}

std::string line(std::string name, const std::string& value) {
  return name.append(" ").append(value).append("\n");
}
std::string line(std::string name, std::uint64_t value) {
  return line(std::move(name), std::to_string(value));
}

std::string by_label(const std::string& name, const char* key,
                     const std::map<std::string, std::uint64_t>& values) {
  std::string text;
  for (const auto& [value, count] : values) {
    std::string labelled = name;
    labelled.append("{").append(key).append("=").append(label(value)).append("}");
    text += line(std::move(labelled), count);
  }
  return text;
}

std::string web_text(const WebServer::Counts& web) {
  std::string text;
  text += head("linkmeter_web_connections", "gauge", "Connections of pages and signs");
  text += line("linkmeter_web_connections", web.connections);
  text += head("linkmeter_web_streams", "gauge", "Connections that stream every change");
  text += line("linkmeter_web_streams", web.streams);
  text += head("linkmeter_web_responses_total", "counter", "Requests of pages, by status");
  std::map<std::string, std::uint64_t> responses;
  for (const auto& [status, count] : web.responses) responses[std::to_string(status)] = count;
  text += by_label("linkmeter_web_responses_total", "status", responses);
  text += head("linkmeter_web_refused_total", "counter",
               "Connections and streams beyond a limit, by the limit");
  text += by_label("linkmeter_web_refused_total", "reason", web.refused);
  text += head("linkmeter_web_cut_total", "counter",
               "Connections closed for a timeout, by what was late");
  return text + by_label("linkmeter_web_cut_total", "late", web.cut);
}

}  // namespace

void Histogram::add(std::int64_t value) {
  const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value);
  ++counts_[static_cast<std::size_t>(bucket - bounds_.begin())];
  sum_ += value;
}

std::string Histogram::text(const std::string& name, Unit unit) const {
  std::string text;
  std::uint64_t count = 0;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    count += counts_[bucket];
    const std::string bound =
        bucket < bounds_.size() ? written(bounds_[bucket], unit) : std::string("+Inf");
    std::string labelled = name;
    labelled.append("_bucket{le=").append(label(bound)).append("}");
    text += line(std::move(labelled), count);
  }
  return text + line(name + "_sum", written(sum_, unit)) + line(name + "_count", count);
}

Metrics::Metrics()
    : turn_times_(time_bounds_us), commit_times_(time_bounds_us), turn_messages_(message_bounds) {}

void Metrics::note(const Controller::Turn& turn, const Floor& floor, std::size_t received,
                   std::chrono::microseconds took) {
  turn_times_.add(took.count());
  turn_messages_.add(static_cast<std::int64_t>(received));
  claims_ += turn.raised.size();
  for (const Controller::Refused& refused : turn.refused) ++refusals_[refused.refusal];
  for (const auto& [table, messages] : turn.outboxes) {
    outbox_[floor.table(table).id.text()] = messages;
  }
}

std::string Metrics::journal_text(const Gauges& gauges) const {
  std::string text = head("linkmeter_journal_entries", "gauge", "Entries of the journal");
  text += line("linkmeter_journal_entries", gauges.journal_entries);
  text += head("linkmeter_journal_bytes", "gauge", "The journal's file");
  text += line("linkmeter_journal_bytes", gauges.journal_bytes);
  text += head("linkmeter_journal_map_used_ratio", "gauge", "At 1 the controller stops");
  text += line("linkmeter_journal_map_used_ratio", millionths(gauges.map_used_ppm));
  text += head("linkmeter_journal_unsigned_entries", "gauge", "After the last signature");
  text += line("linkmeter_journal_unsigned_entries", gauges.unsigned_entries);
  text +=
      head("linkmeter_journal_signer_works", "gauge", "1: the journal is signed; 0: it cannot be");
  text += line("linkmeter_journal_signer_works", signer_.works ? 1 : 0);
  if (signer_.signed_at) {
    text += head("linkmeter_journal_signed_timestamp_seconds", "gauge", "The last signature");
    text += line("linkmeter_journal_signed_timestamp_seconds",
                 millionths(signer_.signed_at->microseconds()));
  }
  return text;
}

std::string Metrics::cluster_text() const {
  if (cluster_.node.empty()) return "";
  std::string text = head("linkmeter_node_is_writer", "gauge", "1: this node is the writer");
  text += line("linkmeter_node_is_writer", cluster_.node == cluster_.writer ? 1 : 0);
  text += head("linkmeter_writer_epoch", "gauge", "Grows with each change of the writer");
  text += line("linkmeter_writer_epoch", std::to_string(cluster_.epoch));
  std::map<std::string, std::uint64_t> lags;
  std::optional<std::chrono::microseconds> lag;
  for (const ClusterStatus::Node& node : cluster_.nodes) {
    if (node.lag_entries) lags[node.name] = *node.lag_entries;
    if (node.name == cluster_.node) lag = node.lag;
  }
  text +=
      head("linkmeter_node_lag_entries", "gauge", "Entries behind the writer, of running nodes");
  text += by_label("linkmeter_node_lag_entries", "node", lags);
  if (lag) {
    text += head("linkmeter_node_lag_seconds", "gauge", "Since this node had every entry");
    text += line("linkmeter_node_lag_seconds", millionths(lag->count()));
  }
  text += head("linkmeter_node_files_missing", "gauge",
               "Slips and day reports that this node lacks; the log says why");
  text += line("linkmeter_node_files_missing", std::to_string(cluster_.missing_files));
  text += head("linkmeter_etcd_answers", "gauge", "0: etcd does not answer; the log says why");
  text += line("linkmeter_etcd_answers", cluster_.etcd_error.empty() ? 1 : 0);
  text += head("linkmeter_etcd_members", "gauge", "Members of the etcd cluster, by their health");
  const auto healthy = static_cast<std::uint64_t>(
      std::count_if(cluster_.members.begin(), cluster_.members.end(),
                    [](const ClusterStatus::Member& member) { return member.is_healthy; }));
  return text + by_label("linkmeter_etcd_members", "health",
                         {{"healthy", healthy}, {"ill", cluster_.members.size() - healthy}});
}

std::string Metrics::text(const Gauges& gauges) const {
  std::string text;
  text += head("linkmeter_turn_seconds", "histogram", "A turn, from receiving to its replies");
  text += turn_times_.text("linkmeter_turn_seconds", Histogram::Unit::microsecond);
  text += head("linkmeter_commit_seconds", "histogram", "A commit of the journal, with its sync");
  text += commit_times_.text("linkmeter_commit_seconds", Histogram::Unit::microsecond);
  text += head("linkmeter_turn_messages", "histogram", "Messages waiting when a turn began");
  text += turn_messages_.text("linkmeter_turn_messages", Histogram::Unit::one);
  text += head("linkmeter_tables", "gauge", "Tables of the floor, by connection state");
  text += by_label("linkmeter_tables", "standing",
                   {{"linked", gauges.tables_linked},
                    {"lost", gauges.tables_lost},
                    {"never_seen", gauges.tables_never_seen},
                    {"not_seen", gauges.tables_not_seen}});
  text += head("linkmeter_tables_frozen", "gauge", "Tables that take no new round");
  text += "linkmeter_tables_frozen " + std::to_string(gauges.tables_frozen) + "\n";
  text += head("linkmeter_links", "gauge", "Links of the floor, by their status");
  text += by_label("linkmeter_links", "status",
                   {{"operating", gauges.links_operating}, {"suspended", gauges.links_suspended}});
  text += head("linkmeter_refusals_total", "counter", "Refused messages and requests, by name");
  std::map<std::string, std::uint64_t> refusals;
  for (const auto& [refusal, count] : refusals_) refusals[std::string(name(refusal))] += count;
  text += by_label("linkmeter_refusals_total", "refusal", refusals);
  text += head("linkmeter_connections_refused_total", "counter",
               "Connections and frames refused, by reason");
  text += by_label("linkmeter_connections_refused_total", "reason", connections_refused_);
  text += head("linkmeter_claims_raised_total", "counter", "Awards that a person must validate");
  text += line("linkmeter_claims_raised_total", claims_);
  text += head("linkmeter_outbox_messages", "gauge", "Unanswered messages a table reports");
  text += by_label("linkmeter_outbox_messages", "table", outbox_);
  text += journal_text(gauges);
  text += cluster_text();
  if (web_) text += web_text(*web_);
  if (self_check_) {
    text += head("linkmeter_self_check_passed", "gauge", "The last self-check: 1 passed");
    text += line("linkmeter_self_check_passed", self_check_->passed ? 1 : 0);
    text += head("linkmeter_self_check_timestamp_seconds", "gauge", "When it was made");
    text +=
        line("linkmeter_self_check_timestamp_seconds", millionths(self_check_->at.microseconds()));
  }
  if (background_audit_) {
    text += head("linkmeter_verification_entries", "gauge", "Entries to verify in the background");
    text += line("linkmeter_verification_entries", background_audit_->total);
    text += head("linkmeter_verified_entries", "gauge", "Entries verified in the background");
    text += line("linkmeter_verified_entries", background_audit_->checked);
  }
  text += head("linkmeter_metrics_timestamp_seconds", "gauge", "When this was written");
  return text +
         line("linkmeter_metrics_timestamp_seconds", millionths(gauges.as_of.microseconds()));
}

std::chrono::milliseconds MetricsFile::time_until_due(std::chrono::microseconds uptime) const {
  return std::max(std::chrono::milliseconds(0),
                  std::chrono::ceil<std::chrono::milliseconds>(due_ - uptime));
}

void MetricsFile::write(const std::string& text, std::chrono::microseconds uptime) {
  due_ = uptime + interval;
  try {
    // The collector reads only *.prom, not the draft beside it. All users with access to the folder
    // may read it, whatever the umask.
    replace_atomically(path_, text, readable_by_all);
    failed_ = false;
  } catch (const Fault& fault) {
    if (!failed_) spdlog::warn("metrics {} cannot be written: {}", path_.string(), fault.what());
    failed_ = true;
  }
}

}  // namespace linkmeter
