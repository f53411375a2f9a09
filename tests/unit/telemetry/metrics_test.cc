#include "controller/telemetry/metrics.h"

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/scoped_directory.h"

namespace linkmeter::metrics_test {
namespace {

using std::chrono::microseconds;

bool has_line(const std::string& text, const std::string& line) {
  return ("\n" + text).find("\n" + line + "\n") != std::string::npos;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a histogram counts the values at or below each bound") {
  Histogram histogram({10, 20});
  for (const std::int64_t value : {0, 10, 11, 20, 21, 1'000'000}) histogram.add(value);
  CHECK_EQ(histogram.text("h", Histogram::Unit::one),
           "h_bucket{le=\"10\"} 2\nh_bucket{le=\"20\"} 4\nh_bucket{le=\"+Inf\"} 6\n"
           "h_sum 1000062\nh_count 6\n");
  CHECK_EQ(histogram.text("h", Histogram::Unit::microsecond),
           "h_bucket{le=\"0.00001\"} 2\nh_bucket{le=\"0.00002\"} 4\nh_bucket{le=\"+Inf\"} 6\n"
           "h_sum 1.000062\nh_count 6\n");
}

TEST_CASE("every metric has its name") {
  Metrics metrics;
  Controller::Turn turn;
  turn.raised = {ClaimNumber(1)};
  turn.refused.resize(3);
  turn.refused[0].refusal = Refusal::seat_unknown;
  turn.refused[1].refusal = Refusal::seat_unknown;
  turn.refused[2].refusal = Refusal::table_not_yours;
  Floor floor;
  floor.tables.resize(2);
  floor.tables[1].id = TableId("C4-01");
  turn.outboxes = {{TableIndex(1), 3}};
  metrics.note(turn, floor, 5, microseconds(300));
  metrics.note(Controller::Turn(), floor, 1, microseconds(30));
  metrics.note_commit(microseconds(250));
  metrics.set_connections_refused("wrong \"frames\"", 7);
  metrics.set_web({7, 5, {{200, 11}, {413, 2}}, {{"streams", 3}}, {{"headers", 4}}});
  metrics.set_self_check({Timestamp::from_microseconds(1'500'000), true});
  metrics.set_verification({20'000, 1'000'000});
  Metrics::Gauges gauges;
  gauges.as_of = Timestamp::from_microseconds(2'000'000);
  gauges.tables_linked = 14;
  gauges.tables_lost = 1;
  gauges.tables_never_seen = 2;
  gauges.tables_not_seen = 1;
  gauges.links_operating = 9;
  gauges.links_suspended = 6;
  gauges.journal_entries = 77;
  gauges.journal_bytes = 8'192;
  gauges.map_used_ppm = 2'500;
  const std::string text = metrics.text(gauges);
  for (const char* line : {"# TYPE linkmeter_turn_seconds histogram",
                           "linkmeter_turn_seconds_bucket{le=\"0.00005\"} 1",
                           "linkmeter_turn_seconds_bucket{le=\"0.0005\"} 2",
                           "linkmeter_turn_seconds_sum 0.00033",
                           "linkmeter_turn_seconds_count 2",
                           "linkmeter_commit_seconds_bucket{le=\"0.00025\"} 1",
                           "linkmeter_turn_messages_bucket{le=\"1\"} 1",
                           "linkmeter_turn_messages_sum 6",
                           "linkmeter_tables{standing=\"linked\"} 14",
                           "linkmeter_tables{standing=\"lost\"} 1",
                           "linkmeter_tables{standing=\"never_seen\"} 2",
                           "linkmeter_tables{standing=\"not_seen\"} 1",
                           "linkmeter_links{status=\"operating\"} 9",
                           "linkmeter_links{status=\"suspended\"} 6",
                           "linkmeter_refusals_total{refusal=\"seat_unknown\"} 2",
                           "linkmeter_refusals_total{refusal=\"table_not_yours\"} 1",
                           "linkmeter_connections_refused_total{reason=\"wrong \\\"frames\\\"\"} 7",
                           "linkmeter_claims_raised_total 1",
                           "linkmeter_outbox_messages{table=\"C4-01\"} 3",
                           "linkmeter_journal_entries 77",
                           "linkmeter_journal_bytes 8192",
                           "linkmeter_journal_map_used_ratio 0.0025",
                           "linkmeter_self_check_passed 1",
                           "linkmeter_self_check_timestamp_seconds 1.5",
                           "linkmeter_verification_entries 1000000",
                           "linkmeter_verified_entries 20000",
                           "linkmeter_web_connections 7",
                           "linkmeter_web_streams 5",
                           "linkmeter_web_responses_total{status=\"413\"} 2",
                           "linkmeter_web_refused_total{reason=\"streams\"} 3",
                           "linkmeter_web_cut_total{late=\"headers\"} 4",
                           "linkmeter_metrics_timestamp_seconds 2"}) {
    CAPTURE(line);
    CHECK(has_line(text, line));
  }
  CHECK(text.ends_with("\n"));
}

TEST_CASE("a node has the metrics of its cluster, and any other controller has none") {
  Metrics metrics;
  CHECK(metrics.text({}).find("linkmeter_node") == std::string::npos);
  CHECK(metrics.text({}).find("linkmeter_etcd") == std::string::npos);
  ClusterStatus status;
  status.node = "b";
  status.writer = "a";
  status.epoch = 17;
  status.nodes = {
      {"a", "writer", true, EntryNumber(9), 0, {}, "", "", "", ""},
      {"b", "standby", true, EntryNumber(7), 2, microseconds(1'500'000), "", "", "", ""},
      {"c", "away", true, {}, {}, {}, "", "", "", ""}};
  status.members = {{"m1", "", "3", true, true, 0, ""}, {"m2", "", "", false, false, 0, "away"}};
  metrics.set_cluster(status);
  const std::string standby = metrics.text({});
  for (const char* line :
       {"linkmeter_node_is_writer 0", "linkmeter_writer_epoch 17",
        "linkmeter_node_lag_entries{node=\"a\"} 0", "linkmeter_node_lag_entries{node=\"b\"} 2",
        "linkmeter_node_lag_seconds 1.5", "linkmeter_node_files_missing 0",
        "linkmeter_etcd_answers 1", "linkmeter_etcd_members{health=\"healthy\"} 1",
        "linkmeter_etcd_members{health=\"ill\"} 1"}) {
    CAPTURE(line);
    CHECK(has_line(standby, line));
  }
  CHECK(standby.find("node=\"c\"") == std::string::npos);
  status.writer = "b";
  status.etcd_error = "no quorum";
  status.nodes[1].lag.reset();
  metrics.set_cluster(status);
  CHECK(has_line(metrics.text({}), "linkmeter_node_is_writer 1"));
  CHECK(has_line(metrics.text({}), "linkmeter_etcd_answers 0"));
  CHECK(metrics.text({}).find("lag_seconds") == std::string::npos);
}

TEST_CASE("the metrics file is replaced atomically every five seconds") {
  const ScopedDirectory directory;
  const std::filesystem::path path = directory.path() / "metrics.prom";
  MetricsFile file(path);
  REQUIRE(file.is_due(microseconds(0)));
  file.write("one\n", microseconds(0));
  CHECK_EQ(contents(path), "one\n");
  CHECK_FALSE(file.is_due(microseconds(4'999'999)));
  CHECK_EQ(file.time_until_due(microseconds(4'000'000)).count(), 1'000);
  REQUIRE(file.is_due(microseconds(5'000'000)));
  std::ifstream reader(path);  // holds the old text while the new one is written
  file.write("two\n", microseconds(5'000'000));
  std::string seen;
  std::getline(reader, seen);
  CHECK_EQ(seen, "one");
  CHECK_EQ(contents(path), "two\n");
  CHECK_EQ(std::distance(std::filesystem::directory_iterator(directory.path()),
                         std::filesystem::directory_iterator()),
           1);
}

TEST_CASE("a metrics file that cannot be written stops nothing") {
  MetricsFile file("/nowhere/at/all/metrics.prom");
  file.write("one\n", microseconds(0));
  CHECK(file.is_due(microseconds(5'000'000)));
}

}  // namespace linkmeter::metrics_test
