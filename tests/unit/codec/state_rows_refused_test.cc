// Rows with a correct checksum that no state wrote: each is refused, and none is applied.
#include <doctest/doctest.h>
#include <algorithm>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "proto/codec/big_endian.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "proto/state.pb.h"
#include "tests/support/busy_floor.h"

namespace linkmeter::state_rows_refused_test {
namespace {

Row row_of(const std::string& key, const std::string& content) {
  return Row{key, row_checksum(key, content) + content};
}

const Row& first_of(const std::vector<Row>& rows, const std::string& kind) {
  for (const Row& row : rows) {
    if (row.key.starts_with(kind)) return row;
  }
  throw std::logic_error("no row of " + kind);
}

// The busy house with slips, and the result of reading its rows when one of them is spoiled.
struct Spoiled : BusyFloor {
  Spoiled() {
    take("C-1", IssueSlip{ClaimNumber(1), PaymentSource::hand_pay});
    take("F-1", VoidSlip{SlipNumber(1), VoidReason::wrong_source, "till 4"});
  }
  [[nodiscard]] std::string why(const std::vector<Row>& rows) const {
    const StateRead again = read_state(floor.state.last_entry(), rows);
    return again.state ? "it is a state" : again.why;
  }
  // The first row whose key has this prefix.
  template <class Message>
  [[nodiscard]] std::string why(const std::string& key,
                                const std::function<void(Message&)>& spoil) const {
    std::vector<Row> rows = tables.rows();
    for (Row& row : rows) {
      if (!row.key.starts_with(key)) continue;
      Message message;
      REQUIRE(message.ParseFromString(row.value.value().substr(row_checksum_size)));
      row = row_of(row.key, message.SerializeAsString());
      REQUIRE_EQ(why(rows), "it is a state");
      spoil(message);
      row = row_of(row.key, message.SerializeAsString());
      return why(rows);
    }
    throw std::logic_error("no row of " + key);
  }
  [[nodiscard]] std::string why_with(const Row& added) const {
    std::vector<Row> rows = tables.rows();
    rows.push_back(added);
    return why(rows);
  }
  [[nodiscard]] std::string why_without(const std::string& key) const {
    std::vector<Row> rows = tables.rows();
    rows.erase(std::find(rows.begin(), rows.end(), first_of(rows, key)));
    return why(rows);
  }
};

template <class Message>
using Spoils = std::vector<std::function<void(Message&)>>;

template <class Message>
void refuse_each(const std::string& key, const std::string& why, const Spoils<Message>& spoils) {
  const Spoiled house;
  for (std::size_t at = 0; at < spoils.size(); ++at) {
    CAPTURE(key);
    CAPTURE(at);
    CHECK_EQ(house.why<Message>(key, spoils[at]), why);
  }
}

std::string others(const std::string& kind) {
  return "the state row " + kind + " is another release's";
}

const std::string incomplete = "the state tables are not complete";
const std::string at_c4_01 = "/" + big_endian(1, 4);

}  // namespace

TEST_CASE("a row whose content is not a message of its kind is refused") {
  const Spoiled house;
  for (const std::string kind :
       {"floor", "check", "moments", "keys", "link/", "desk/", "answers/", "round/", "ended/",
        "claim/", "slip/", "person/", "proposal/", "enrolment/"}) {
    CAPTURE(kind);
    std::vector<Row> rows = house.tables.rows();
    const bool is_there = std::any_of(
        rows.begin(), rows.end(), [&kind](const Row& row) { return row.key.starts_with(kind); });
    const std::string key = is_there ? first_of(rows, kind).key : kind;
    std::erase_if(rows, [&key](const Row& row) { return row.key == key; });
    rows.push_back(row_of(key, "\xff\xff"));
    CHECK_EQ(house.why(rows), others(kind.substr(0, kind.find('/'))));
  }
  CHECK_EQ(house.why_with(row_of("proposal/" + big_endian(9), "\xff")), others("proposal"));
  CHECK_EQ(house.why_with(row_of("day/" + big_endian(20'000, 4), "\xff")), others("day"));
  CHECK_EQ(house.why_with(row_of("restoration/" + big_endian(2), "\xff")), others("restoration"));
}

TEST_CASE("a row with an unknown kind or a cut key is refused") {
  const Spoiled house;
  for (const std::string key : {"", "floors", "link/", "link/abc", "odds/abcd", "answers/abcd",
                                "ended/abcd/1", "answers/abcd/123", "things/abcd/12"}) {
    CAPTURE(key);
    CHECK_EQ(house.why_with(row_of(key, "")), others(key.substr(0, key.find('/'))));
  }
}

TEST_CASE("rows of answers need the right count in each part") {
  refuse_each<state::Answers>(
      "answers" + at_c4_01, others("answers"),
      {[](auto& row) { row.mutable_entries()->RemoveLast(); },
       [](auto& row) { row.mutable_refusals()->RemoveLast(); },
       [](auto& row) { row.mutable_digests()->pop_back(); },
       [](auto& row) { row.set_refusals(0, 300); }, [](auto& row) { row.Clear(); },
       [](auto& row) {
         for (std::size_t more = 0; more < limits::answers_per_row; ++more) {
           row.add_numbers(0);
           row.add_entries(0);
           row.add_refusals(0);
           row.mutable_digests()->append(32, '\0');
         }
       }});
  const Spoiled house;
  std::vector<Row> rows = house.tables.rows();
  const Row part = first_of(rows, "answers" + at_c4_01);
  rows.push_back(
      row_of("answers" + at_c4_01 + "/" + big_endian(2, 2), part.value->substr(row_checksum_size)));
  CHECK_EQ(house.why(rows), others("answers"));
}

TEST_CASE("rows of ended rounds need names of at most 64 bytes, in order") {
  const auto named = [](std::size_t length) {
    return std::string(1, static_cast<char>(length)) + std::string(length, 'r');
  };
  refuse_each<state::EndedRounds>(
      "ended" + at_c4_01, others("ended"),
      {[&](auto& row) { row.set_ids(named(65)); }, [&](auto& row) { row.set_ids(named(255)); },
       [&](auto& row) { row.mutable_ids()->pop_back(); },
       [&](auto& row) { row.mutable_ids()->push_back('\x03'); },
       [&](auto& row) { row.set_ids(""); },
       [&](auto& row) {
         row.set_ids("");
         for (std::size_t at = 0; at <= limits::ended_per_row; ++at)
           row.mutable_ids()->append(named(1));
       }});
  // 64 bytes are a valid name, and the number of ended rounds at that table is unchanged.
  const Spoiled house;
  CHECK_EQ(
      house.why<state::EndedRounds>("ended" + at_c4_01, [&](auto& row) { row.set_ids(named(64)); }),
      "it is a state");
}

TEST_CASE("rows of rings with the wrong length are refused") {
  refuse_each<state::Desk>("desk" + at_c4_01, incomplete,
                           {[](auto& row) { row.set_last_number(row.last_number() + 1); },
                            [](auto& row) { row.set_last_number(row.last_number() - 1); },
                            [](auto& row) { row.set_last_number(0); },
                            [](auto& row) { row.set_ended_count(row.ended_count() + 1); },
                            [](auto& row) { row.set_ended_count(0); }});
  const Spoiled house;
  CHECK_EQ(house.why_without("answers" + at_c4_01), incomplete);
  CHECK_EQ(house.why_without("ended" + at_c4_01), incomplete);
  CHECK_EQ(house.why_without("desk" + at_c4_01), incomplete);
  CHECK_EQ(house.why_without("moments"), incomplete);
  CHECK_EQ(house.why_without("keys"), incomplete);
  // The largest number must not count as "none".
  state::Desk session;
  session.set_last_number(std::numeric_limits<std::uint64_t>::max());
  CHECK_EQ(house.why_with(row_of("desk/" + big_endian(9, 4), session.SerializeAsString())),
           incomplete);
  // The floor has ten tables.
  CHECK_EQ(house.why_with(row_of("desk/" + big_endian(10, 4), "")), incomplete);
}

TEST_CASE("rows of rounds with invalid cards, seats, amounts or draws are refused") {
  const std::int64_t too_much = std::numeric_limits<std::int64_t>::max();
  const auto wagered = [](state::Round& row) { return row.mutable_wagers(0); };
  refuse_each<state::Round>(
      "round" + at_c4_01, others("round"),
      {[](auto& row) { row.mutable_cards()->push_back(static_cast<char>(Card::index_count)); },
       [&](auto& row) { wagered(row)->set_seat(256); },
       [&](auto& row) { wagered(row)->set_amount_cents(too_much); },
       [&](auto& row) { wagered(row)->set_amount_cents(-too_much); },
       [](auto& row) { row.mutable_draw()->set_magic(Card::index_count); },
       [](auto& row) { row.mutable_draw()->set_seat(256); },
       [](auto& row) { row.mutable_shown(0)->mutable_hand()->set_seat(256); },
       [&](auto& row) { row.mutable_shown(0)->mutable_hand()->set_won_cents(too_much); },
       [](auto& row) { row.mutable_shown(0)->mutable_hand()->set_cards("\x7f"); },
       [](auto& row) { row.mutable_shown(0)->mutable_draw()->set_magic(Card::index_count); },
       [](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_kind(0); },
       [](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_kind(99); },
       [](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_seat(256); },
       [](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_holder(256); },
       [](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_source(4); },
       [](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_level(limits::levels_max); },
       [&](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_amount_cents(too_much); },
       [&](auto& row) { row.mutable_shown(0)->mutable_awards(0)->set_uncut_cents(too_much); }});
}

TEST_CASE("rows of claims need consecutive numbers and valid fields") {
  const std::int64_t too_much = std::numeric_limits<std::int64_t>::max();
  refuse_each<state::Claim>(
      "claim/", others("claim"),
      {[](auto& row) { row.set_number(2); }, [&](auto& row) { row.set_amount_cents(too_much); },
       [&](auto& row) { row.set_wager_cents(too_much); },
       [&](auto& row) { row.set_uncut_cents(too_much); }, [](auto& row) { row.set_seat(256 + 2); },
       [](auto& row) { row.set_level(256); }, [](auto& row) { row.set_state(0); },
       [](auto& row) { row.set_state(5); }, [](auto& row) { row.set_state(256); },
       [](auto& row) { row.set_source(4); }, [](auto& row) { row.set_reject_reason(99); }});
  refuse_each<state::Claim>(
      "claim/", incomplete,
      {[](auto& row) { row.set_link(11); }, [](auto& row) { row.set_table(10); },
       [](auto& row) { row.set_level(4); }, [](auto& row) { row.add_slips(2); },
       [](auto& row) { row.add_slips(0); }});
}

TEST_CASE("rows of slips need consecutive numbers and valid fields") {
  const std::int64_t too_much = std::numeric_limits<std::int64_t>::max();
  refuse_each<state::Slip>(
      "slip/", others("slip"),
      {[](auto& row) { row.set_number(2); }, [](auto& row) { row.set_source(0); },
       [](auto& row) { row.set_source(4); }, [](auto& row) { row.set_state(0); },
       [](auto& row) { row.set_state(99); }, [](auto& row) { row.set_void_reason(99); },
       [&](auto& row) { row.set_amount_cents(too_much); },
       [&](auto& row) { row.set_wager_cents(too_much); },
       [](auto& row) { row.mutable_threshold()->set_ratio(-1); },
       [](auto& row) { row.set_stored("five!"); }});
}

TEST_CASE("rows of people, proposals and keys need valid kinds, each once") {
  refuse_each<acts::Person>(
      "person/", others("person"),
      {[](auto& row) { row.set_department(0); }, [](auto& row) { row.set_department(99); },
       [](auto& row) { row.add_roles(99); }});
  refuse_each<state::Proposal>(
      "proposal/" + big_endian(2), others("proposal"),
      {[](auto& row) { row.clear_act(); },
       [](auto& row) { row.mutable_act()->mutable_revoke()->set_kind(99); }});
  refuse_each<acts::Enrolment>(
      "enrolment/", others("enrolment"),
      {[](auto& row) { row.set_kind(0); }, [](auto& row) { row.set_kind(99); }});
  // The same person, and the same key, in a row with another name.
  const Spoiled house;
  for (const std::string kind : {"person", "enrolment"}) {
    const Row once = first_of(house.tables.rows(), kind + "/");
    CHECK_EQ(house.why_with(row_of(kind + "/zz", once.value->substr(row_checksum_size))),
             others(kind));
  }
}

TEST_CASE("rows of days need consecutive days, a bounded number") {
  const Spoiled house;
  const auto day = [](std::uint32_t number, const std::string& report = std::string(32, 'r')) {
    state::DayRecord row;
    row.set_day(number);
    row.set_report(report);
    return row_of("day/" + big_endian(number, 4), row.SerializeAsString());
  };
  CHECK_EQ(house.why_with(day(20'000)), "it is a state");
  std::vector<Row> rows = house.tables.rows();
  rows.push_back(day(20'000));
  rows.push_back(day(20'001));
  CHECK_EQ(house.why(rows), "it is a state");
  rows.back() = day(20'002);
  CHECK_EQ(house.why(rows), others("day"));
  CHECK_EQ(house.why_with(day(std::numeric_limits<std::uint32_t>::max())), others("day"));
  CHECK_EQ(house.why_with(day(20'000, "five!")), others("day"));
}

TEST_CASE("rows of restorations need a whole hash and links of the floor") {
  const Spoiled house;
  const auto restored = [](std::size_t hash_bytes, std::uint32_t link) {
    state::Restoration row;
    row.set_entry(2);
    row.mutable_fact()->set_hash(std::string(hash_bytes, 'h'));
    row.add_suspended(link);
    return row_of("restoration/" + big_endian(2), row.SerializeAsString());
  };
  CHECK_EQ(house.why_with(restored(32, 10)), "it is a state");
  CHECK_EQ(house.why_with(restored(31, 10)), others("restoration"));
  CHECK_EQ(house.why_with(restored(32, 11)), incomplete);
}

TEST_CASE("a link's row needs the floor's levels and tables in its order") {
  const std::string c4 = "link/" + big_endian(1, 4);
  refuse_each<journal::LinkReading>(
      c4, incomplete,
      {[](auto& row) { row.mutable_levels()->RemoveLast(); }, [](auto& row) { row.add_levels(); },
       [](auto& row) { row.mutable_tables()->RemoveLast(); }, [](auto& row) { row.add_tables(); },
       [](auto& row) { row.mutable_tables()->SwapElements(0, 1); },
       [](auto& row) { row.mutable_tables(0)->set_table(3); }});
  const Spoiled house;
  std::vector<Row> rows = house.tables.rows();
  for (Row& row : rows) {
    if (row.key == c4) row = row_of("link/" + big_endian(11, 4), row.value->substr(8));
  }
  CHECK_EQ(house.why(rows), incomplete);
}

TEST_CASE("a discontinued link's row needs an existing receiving pool") {
  const std::string c4 = "link/" + big_endian(1, 4);
  const auto went = [](std::uint32_t link, int level) {
    return [=](journal::LinkReading& row) {
      row.set_went_to(link);
      if (level >= 0) row.set_went_to_level(static_cast<std::uint32_t>(level));
    };
  };
  refuse_each<journal::LinkReading>(c4, "it is a state", {went(3, 0), went(3, -1)});
  refuse_each<journal::LinkReading>(c4, incomplete, {went(11, 0), went(11, -1), went(3, 7)});
  // Cut to a byte, 255 and 256 would be a reserve and level 0.
  refuse_each<journal::LinkReading>(c4, others("link"), {went(3, 8), went(3, 255), went(3, 256)});
  journal::Entry entry;
  went(3, 256)(*entry.mutable_day_ended()->add_links());
  CHECK_FALSE(decode_entry(entry.SerializeAsString()).has_value());
}

TEST_CASE("the floor's row with invalid rates, seats, decks or amounts is refused") {
  const auto link = [](state::Floor& row, int at) {
    return row.mutable_floor()->mutable_links(at);
  };
  const std::int64_t too_much = std::numeric_limits<std::int64_t>::max();
  const std::uint32_t over_whole = 1'000'001;
  refuse_each<state::Floor>(
      "floor", others("floor"),
      {[](auto& row) { row.mutable_floor()->mutable_tables(0)->set_seats(256); },
       [](auto& row) { row.mutable_floor()->mutable_tables(0)->set_decks(limits::decks_max + 1); },
       [&](auto& row) { row.mutable_floor()->mutable_tables(0)->set_draw_ppm(over_whole); },
       [&](auto& row) { link(row, 1)->set_reserve_ppm(over_whole); },
       [&](auto& row) { link(row, 1)->set_unit_cents(too_much); },
       [&](auto& row) { link(row, 2)->set_minimum_cents(too_much); },
       [&](auto& row) { link(row, 2)->set_maximum_cents(too_much); },
       [&](auto& row) { link(row, 1)->set_payout_limit_cents(too_much); },
       [&](auto& row) { link(row, 1)->mutable_levels(0)->set_rate_ppm(over_whole); },
       [&](auto& row) { link(row, 1)->mutable_levels(0)->set_seed_units(-1); },
       [&](auto& row) { link(row, 1)->mutable_levels(0)->set_seed_units(too_much); },
       [&](auto& row) { link(row, 1)->mutable_levels(0)->set_reseed_units(-1); },
       [&](auto& row) { link(row, 1)->mutable_levels(0)->set_reseed_units(too_much); },
       [&](auto& row) { link(row, 1)->mutable_levels(0)->set_limit_units(1); },
       [&](auto& row) { link(row, 3)->mutable_pot()->set_minimum_pot_cents(too_much); },
       [&](auto& row) { link(row, 3)->mutable_pot()->set_contribution_cents(too_much); },
       [&](auto& row) { link(row, 3)->mutable_pot()->set_qualifying("six_of_a_kind"); },
       [&](auto& row) { link(row, 3)->mutable_pot()->set_losing_hand_ppm(over_whole); },
       [&](auto& row) { link(row, 3)->mutable_pot()->set_winning_hand_ppm(over_whole); },
       [&](auto& row) { link(row, 3)->mutable_pot()->set_table_ppm(over_whole); },
       [&](auto& row) { row.mutable_floor()->add_second_signature()->add_roles(99); },
       [&](auto& row) { row.mutable_floor()->add_second_signature()->set_from_cents(too_much); },
       [&](auto& row) { row.mutable_floor()->add_taxable()->set_amount_cents(too_much); },
       [](auto& row) { row.mutable_floor()->add_taxable()->set_ratio(-1); },
       [](auto& row) { row.mutable_floor()->add_taxable()->set_ratio(limits::multiple_max + 1); }});
  refuse_each<state::Floor>("floor", incomplete,
                            {[&](auto& row) { link(row, 1)->set_tables(0, 10); },
                             [&](auto& row) { row.mutable_floor()->mutable_links()->RemoveLast(); },
                             [](auto& row) { row.mutable_floor()->add_links(); }});
}

TEST_CASE("a single row is checked for its kind, its checksum and its content") {
  const Spoiled house;
  const std::vector<Row> rows = house.tables.rows();
  const Row& link = first_of(rows, "link/");
  const Row& claim = first_of(rows, "claim/");
  const Row& floor = first_of(rows, "floor");
  REQUIRE(read_link_row(link).has_value());
  REQUIRE(read_claim_row(claim).has_value());
  REQUIRE(read_configuration_row(floor).has_value());
  CHECK_FALSE(read_link_row(claim).has_value());
  CHECK_FALSE(read_claim_row(link).has_value());
  CHECK_FALSE(read_configuration_row(link).has_value());
  for (const std::string content : {"\xff", ""}) {
    const Row bare{link.key, content};
    CHECK_FALSE(read_link_row(bare).has_value());
    CHECK_FALSE(read_claim_row(Row{claim.key, content}).has_value());
    CHECK_FALSE(read_configuration_row(Row{"floor", content}).has_value());
  }
  CHECK_FALSE(read_link_row(Row{link.key, std::nullopt}).has_value());
  CHECK_FALSE(read_link_row(row_of(link.key, "\xff")).has_value());
  CHECK_FALSE(read_claim_row(row_of(claim.key, "\xff")).has_value());
  CHECK_FALSE(read_configuration_row(row_of("floor", "\xff")).has_value());
  // Rows of older releases do not name an entry: it is the entry that opened the floor.
  state::Floor named;
  REQUIRE(named.ParseFromString(floor.value->substr(row_checksum_size)));
  named.clear_since();
  CHECK_EQ(read_configuration_row(row_of("floor", named.SerializeAsString())), EntryNumber(1));
}

}  // namespace linkmeter::state_rows_refused_test
