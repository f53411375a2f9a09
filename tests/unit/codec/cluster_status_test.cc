#include "proto/codec/cluster_status.h"

#include <doctest/doctest.h>
#include <string>

#include "meters/values/limits.h"
#include "proto/codec/operator_codec.h"
#include "proto/codec/wire_codec.h"

namespace linkmeter::cluster_status_test {
namespace {

ClusterStatus example() {
  ClusterStatus status;
  status.node = "b";
  status.writer = "a";
  status.epoch = 17;
  status.etcd_error = "no quorum";
  status.members = {{"m1", "https://m1:2379", "3.4.23", true, true, 20'480, ""},
                    {"m2", "https://m2:2379", "", false, false, 0, "refused"}};
  ClusterStatus::Node& runs = status.nodes.emplace_back();
  runs = {"b",
          "standby",
          true,
          EntryNumber(12),
          3,
          std::chrono::microseconds(-1),
          "tcp://b:6057",
          "tcp://b:6058",
          "https://b:6059",
          "1.0"};
  status.nodes.push_back({"c", "away", true, {}, {}, {}, "", "", "", ""});
  status.nodes.push_back({"d", "standby", false, EntryNumber(0), 0, {}, "", "", "", ""});
  return status;
}

}  // namespace

TEST_CASE("a cluster's status is decoded as it was sent") {
  CHECK(decode_cluster_status(encode(example())) == example());
  CHECK(decode_cluster_status(encode(ClusterStatus())) == ClusterStatus());
}

TEST_CASE("a status of too many nodes with too long texts still fits, cut") {
  ClusterStatus status;
  const std::string text(10'000, 'x');
  for (int count = 0; count < 1'000; ++count) {
    status.nodes.push_back({text, "standby", true, {}, {}, {}, text, text, text, text});
    status.members.push_back({text, text, text, false, false, 1, text});
  }
  const std::string bytes = encode(status);
  CHECK(bytes.size() <= limits::cluster_status_bytes_max);
  const auto decoded = decode_cluster_status(bytes);
  REQUIRE(decoded);
  CHECK(decoded->nodes.size() > 8);
}

TEST_CASE("requests about the cluster are no other requests") {
  const std::string asks = encode_cluster_request(), hands_over = encode_handover_request("b");
  CHECK(is_cluster_request(asks));
  CHECK_FALSE(is_cluster_request(hands_over));
  CHECK(decode_handover_request(hands_over) == "b");
  CHECK_FALSE(decode_handover_request(asks).has_value());
  for (const std::string& bytes : {asks, hands_over}) {
    CHECK_FALSE(is_status_request(bytes));
    CHECK_FALSE(decode_control_request(bytes).has_value());
  }
  for (const std::string& bytes :
       {std::string(), std::string("\xff\xff"), encode_status_request()}) {
    CHECK_FALSE(is_cluster_request(bytes));
    CHECK_FALSE(decode_handover_request(bytes).has_value());
  }
  const std::string too_long = encode_handover_request(std::string(limits::control_bytes_max, 'b'));
  CHECK_FALSE(decode_handover_request(too_long).has_value());
}

TEST_CASE("replies are decoded as they were sent, and no other bytes are") {
  const HandoverReply reply{"node_behind", "node b lacks 2000 entries"};
  CHECK(decode_handover_reply(encode(reply)) == reply);
  CHECK(decode_handover_reply(encode(HandoverReply())) == HandoverReply());
  CHECK_FALSE(decode_handover_reply(encode(example())).has_value());
  CHECK_FALSE(decode_cluster_status(encode(reply)).has_value());
  const std::string whole = encode(example());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(decode_cluster_status(whole.substr(0, size)).has_value());
  }
  CHECK_FALSE(decode_cluster_status(whole + std::string(limits::cluster_status_bytes_max, '\0'))
                  .has_value());
}

}  // namespace linkmeter::cluster_status_test
