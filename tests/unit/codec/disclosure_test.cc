#include "proto/codec/disclosure.h"

#include <doctest/doctest.h>
#include <string>
#include <utility>
#include <vector>

#include "meters/rules/decide.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/snapshot_codec.h"
#include "proto/codec/whole_state.h"
#include "tests/support/one_table_house.h"
#include "tests/support/staff.h"

namespace linkmeter::disclosure_test {
namespace {

constexpr std::string_view seal = "SEAL OF A PIN";
constexpr std::uint8_t code_byte = 0xa7;

Digest code() {
  Digest digest;
  digest.fill(code_byte);
  return digest;
}

bool has_secret(std::string_view bytes) {
  const Digest secret = code();
  return bytes.find(seal) != std::string_view::npos ||
         bytes.find(std::string(secret.begin(), secret.end())) != std::string_view::npos;
}

Person someone(const std::string& badge) {
  Person person = person_of(badge, Department::finance, {Role::cashier});
  person.pin = person.pin_before = seal;
  return person;
}

Entry entry_of(Fact fact, std::uint64_t number = 2) {
  Entry entry;
  entry.number = EntryNumber(number);
  entry.recorded_at = Timestamp::from_microseconds(7);
  entry.fact = std::move(fact);
  return entry;
}

std::vector<DualControlCommand> acts_with_secrets() {
  return {AddPerson{someone("C-2")}, ResetPin{Badge("C-1"), std::string(seal)}};
}

Entry opened() {
  FloorOpened floor = one_table_floor();
  floor.people = {someone("C-1")};
  floor.recovery_codes = {code()};
  return open_floor(std::move(floor), Timestamp::from_microseconds(1));
}

}  // namespace

TEST_CASE("no entry shown to people contains a PIN hash or the digest of a recovery code") {
  std::vector<Entry> entries = {opened(), entry_of(PinChanged{Badge("C-1"), std::string(seal)}),
                                entry_of(PinChanged{Badge("C-1"), "", std::string(seal)}),
                                entry_of(Recovered{Badge("C-1"), std::string(seal), {1, 2}})};
  for (const DualControlCommand& act : acts_with_secrets()) {
    entries.push_back(entry_of(ActProposed{ProposalNumber(1), act, Badge("C-1")}));
    entries.push_back(entry_of(ActConfirmed{ProposalNumber(1), act, Badge("C-1"), Badge("C-2")}));
  }
  for (const Entry& entry : entries) {
    CAPTURE(name(entry.fact));
    REQUIRE(has_secret(encode(entry)));
    const std::string shown = encode(without_secrets(entry));
    CHECK_FALSE(has_secret(shown));
    const auto read = decode_entry(shown);
    REQUIRE(read.has_value());
    CHECK_EQ(read->number, entry.number);
    CHECK_EQ(name(read->fact), name(entry.fact));
  }
}

TEST_CASE("the rows shown to people give the same state without the secrets") {
  State state;
  state.apply(opened());
  std::uint64_t number = 1;
  for (const DualControlCommand& act : acts_with_secrets()) {
    state.apply(entry_of(ActProposed{ProposalNumber(number), act, Badge("C-1")}, number + 1));
    ++number;
  }
  const NewRecoveryCodes codes{{Digest{1}, Digest{2}, Digest{3}}};
  state.apply(entry_of(ActProposed{ProposalNumber(number), codes, Badge("C-1")}, number + 1));
  Snapshot snapshot;
  snapshot.head.entry = state.last_entry();
  bool had_secrets = false;
  for (const Row& row : rows_of(state)) {
    had_secrets = had_secrets || has_secret(*row.value);
    const auto shown = without_secrets(row);
    REQUIRE(shown.has_value());
    snapshot.rows.push_back(*shown);
  }
  CHECK(had_secrets);
  const std::string bytes = encode(snapshot);
  CHECK_FALSE(has_secret(bytes));
  const auto read = decode_snapshot_reply(bytes);
  REQUIRE(read.has_value());
  CHECK((*read == snapshot));
  const StateRead shown = read_state(read->head.entry, read->rows);
  REQUIRE_MESSAGE(shown.state.has_value(), shown.why);
  CHECK_EQ(shown.state->people().size(), state.people().size());
  // Word for word, so that the person who confirms reads what the controller keeps.
  REQUIRE_EQ(shown.state->proposals().size(), state.proposals().size());
  for (std::size_t at = 0; at < state.proposals().size(); ++at) {
    CHECK_EQ(summary(shown.state->proposals()[at].act), summary(state.proposals()[at].act));
  }
  CHECK_EQ(shown.state->recovery().codes.size(), state.recovery().codes.size());
}

TEST_CASE("a damaged row with secrets is not shown, and malformed bytes are not a snapshot") {
  CHECK_FALSE(without_secrets(Row{"person/C-1", "short"}).has_value());
  CHECK_FALSE(without_secrets(Row{"recovery", "12345678\xff\xff"}).has_value());
  CHECK_FALSE(decode_snapshot_reply("").has_value());
  CHECK_FALSE(decode_snapshot_reply("\xff\xff").has_value());
  CHECK(is_snapshot_request(encode_snapshot_request()));
  CHECK_FALSE(is_snapshot_request(""));
}

}  // namespace linkmeter::disclosure_test
