#include "proto/codec/wire_codec.h"

#include <doctest/doctest.h>
#include <string>

#include "meters/values/limits.h"
#include "proto/codec/operator_codec.h"

namespace linkmeter::status_codec_test {
namespace {

Timestamp at(std::int64_t microseconds) { return Timestamp::from_microseconds(microseconds); }

}  // namespace

TEST_CASE("a status is decoded as it was sent") {
  const ControllerStatus status{at(17),
                                {{TableId("T-1"), TableLinkState::never_seen, at(17), {}},
                                 {TableId("T-2"), TableLinkState::linked, at(18), at(20)},
                                 {TableId("T-3"), TableLinkState::lost, at(19), at(0)}},
                                at(21)};
  CHECK((decode_status_reply(encode(status)) == status));
  CHECK((decode_status_reply(encode(ControllerStatus())) == ControllerStatus()));
}

TEST_CASE("the status of the largest floor fits its size limit") {
  ControllerStatus status{at(1'700'000'000'000'000), {}, at(-1)};
  for (std::size_t table = 0; table < limits::tables_max; ++table) {
    status.tables.push_back({TableId(std::string(limits::name_length_max, 't')),
                             TableLinkState::never_seen, at(-1), at(-1)});
  }
  CHECK((decode_status_reply(encode(status)) == status));
}

TEST_CASE("a status request is not an act, and an act is not a status request") {
  CHECK(is_status_request(encode_status_request()));
  CHECK_FALSE(decode_control_request(encode_status_request()));
  CHECK_FALSE(is_status_request(encode(ControlRequest{Badge("F-1"), "1357", "", ChangePin{}})));
  CHECK_FALSE(is_status_request(""));
  CHECK_FALSE(is_status_request("\xff\xff"));
}

TEST_CASE("malformed and cut status messages are rejected") {
  CHECK_FALSE(decode_status_reply(""));
  CHECK_FALSE(decode_status_reply(encode(ControlReply{Refusal::none, {}, {}, "", "done"})));
  const std::string whole =
      encode(ControllerStatus{at(1), {{TableId("T-1"), TableLinkState::lost, at(2), at(3)}}});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CHECK_FALSE(decode_status_reply(whole.substr(0, size)));
  }
}

TEST_CASE("every table standing has its own name") {
  for (const TableLinkState standing : {TableLinkState::never_seen, TableLinkState::linked,
                                        TableLinkState::lost, TableLinkState::not_seen}) {
    CHECK_EQ(parse_link_state(name(standing)), standing);
  }
  CHECK_FALSE(parse_link_state("found"));
}

}  // namespace linkmeter::status_codec_test
