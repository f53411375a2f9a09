// Entries that no release wrote: every field of every fact, set to each impossible value.
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "meters/game/card.h"
#include "meters/values/limits.h"
#include "proto/codec/journal_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::journal_refused_test {
namespace {

using Say = std::function<void(journal::Entry&)>;

bool is_entry(const journal::Entry& entry) {
  return decode_entry(entry.SerializeAsString()).has_value();
}

// `good` is an entry; each change of `spoils` makes it none.
void refuse_each(const Say& good, const std::vector<Say>& spoils) {
  journal::Entry entry;
  good(entry);
  REQUIRE(is_entry(entry));
  for (std::size_t at = 0; at < spoils.size(); ++at) {
    CAPTURE(at);
    journal::Entry spoilt = entry;
    spoils[at](spoilt);
    CHECK_FALSE(is_entry(spoilt));
  }
}

// The smallest entry of its kind: `made` makes its fact.
template <class Fact>
Say least(Fact* (journal::Entry::*made)()) {
  return [made](journal::Entry& entry) { static_cast<void>((entry.*made)()); };
}

const std::string digest(32, 'd');
const std::string no_card(1, static_cast<char>(Card::index_count));
constexpr std::int64_t too_much = std::numeric_limits<std::int64_t>::max();
// The largest amount, and the first above it.
constexpr std::int64_t lifetime_cents = limits::lifetime_max.units() / Amount::units_per_cent;

void spoil_award(journal::Award& award, std::size_t how) {
  award.set_kind(1);
  switch (how) {
    case 0: award.set_kind(0); break;
    case 1: award.set_kind(5); break;
    case 2: award.set_seat(256); break;
    case 3: award.set_holder(256); break;
    case 4: award.set_source(4); break;
    case 5: award.set_level(limits::levels_max); break;
    case 6: award.set_amount_cents(lifetime_cents + 1); break;
    case 7: award.set_uncut_cents(-lifetime_cents - 1); break;
    default: FAIL("no such mistake");
  }
}
constexpr std::size_t award_mistakes = 8;

void spoil_call(journal::MeterCall& hit, std::size_t how) {
  switch (how) {
    case 0: hit.set_level(limits::levels_max); break;
    case 1: hit.set_amount_cents(too_much); break;
    case 2: hit.set_reseeded_units(-1); break;
    case 3: hit.set_from_reserve_units(limits::lifetime_max.units() + 1); break;
    case 4: hit.set_stood_units(-1); break;
    default: FAIL("no such mistake");
  }
}
constexpr std::size_t call_mistakes = 5;

// Every mistake in an award and in a hit of this fact.
template <class Fact>
std::vector<Say> settled(Fact* (journal::Entry::*fact)(), std::vector<Say> more) {
  for (std::size_t how = 0; how < award_mistakes; ++how) {
    more.emplace_back([=](auto& entry) { spoil_award(*(entry.*fact)()->add_awards(), how); });
  }
  for (std::size_t how = 0; how < call_mistakes; ++how) {
    more.emplace_back([=](auto& entry) { spoil_call(*(entry.*fact)()->add_calls(), how); });
  }
  return more;
}

}  // namespace

TEST_CASE(
    "decoding refuses an entry without a known fact, half a digest, a posting without an account") {
  refuse_each(least(&journal::Entry::mutable_round_closed),
              {[](auto& entry) { entry.clear_fact(); },
               [](auto& entry) { entry.mutable_origin()->set_digest(digest.substr(1)); },
               [](auto& entry) { entry.add_postings()->set_account(0); },
               [](auto& entry) { entry.add_postings()->set_account(99); },
               [](auto& entry) {
                 entry.add_postings()->set_account(1);
                 entry.mutable_postings(0)->set_units(limits::lifetime_max.units() + 1);
               },
               [](auto& entry) {
                 entry.add_postings()->set_account(1);
                 entry.mutable_postings(0)->set_units(-limits::lifetime_max.units() - 1);
               },
               [](auto& entry) {
                 entry.add_postings()->set_account(1);
                 entry.mutable_postings(0)->set_pool(limits::levels_max + 1);
               }});
  CHECK_FALSE(decode_entry("\xff").has_value());
}

TEST_CASE("decoding refuses an opening with invalid people, keys or PIN hashes") {
  const auto opened = [](journal::Entry& entry) { return entry.mutable_floor_opened(); };
  refuse_each(
      [=](auto& entry) { opened(entry)->mutable_floor(); },
      {[=](auto& entry) { opened(entry)->mutable_floor()->add_tables()->set_seats(256); },
       [=](auto& entry) { opened(entry)->add_people()->set_department(0); },
       [=](auto& entry) {
         opened(entry)->add_people()->set_department(1);
         opened(entry)->mutable_people(0)->add_roles(0);
       },
       [=](auto& entry) { opened(entry)->add_enrolments()->set_kind(99); },
       [=](auto& entry) { opened(entry)->set_seal_key("short"); },
       [=](auto& entry) {
         opened(entry)->set_journal_key(std::string(limits::journal_key_bytes_max + 1, 'k'));
       }});
}

TEST_CASE("decoding refuses wagers with invalid seats or amounts") {
  const auto wager = [](journal::PlacedWager* added, std::uint32_t seat, std::int64_t cents) {
    added->set_seat(seat);
    added->set_amount_cents(cents);
  };
  refuse_each(
      least(&journal::Entry::mutable_round_locked),
      {[&](auto& entry) { wager(entry.mutable_round_locked()->add_wagers(), 256, 1); },
       [&](auto& entry) { wager(entry.mutable_round_locked()->add_wagers(), 1, too_much); }});
  refuse_each(least(&journal::Entry::mutable_count_differed),
              {[&](auto& entry) { wager(entry.mutable_count_differed()->add_wagers(), 256, 1); }});
  refuse_each(least(&journal::Entry::mutable_count_resolved),
              {[&](auto& entry) { wager(entry.mutable_count_resolved()->add_wagers(), 256, 1); }});
  refuse_each(least(&journal::Entry::mutable_round_voided),
              {[&](auto& entry) { wager(entry.mutable_round_voided()->add_returned(), 256, 1); }});
}

TEST_CASE(
    "decoding refuses shown hands with invalid seats, cards, amounts, draws, awards or hits") {
  const auto shown = [](journal::Entry& entry) { return entry.mutable_hands_shown(); };
  refuse_each(least(&journal::Entry::mutable_hands_shown),
              settled(&journal::Entry::mutable_hands_shown,
                      {[=](auto& entry) { shown(entry)->add_hands()->set_seat(256); },
                       [=](auto& entry) { shown(entry)->add_hands()->set_won_cents(too_much); },
                       [=](auto& entry) { shown(entry)->add_hands()->set_cards(no_card); },
                       [=](auto& entry) { shown(entry)->set_dealer(no_card); },
                       [=](auto& entry) { shown(entry)->set_board(no_card); },
                       [=](auto& entry) { shown(entry)->mutable_draw()->set_magic(53); },
                       [=](auto& entry) { shown(entry)->mutable_draw()->set_seat(256); }}));
}

TEST_CASE("decoding refuses a corrected hand with invalid fields") {
  const auto corrected = [](journal::Entry& entry) { return entry.mutable_hand_corrected(); };
  std::vector<Say> spoils = settled(&journal::Entry::mutable_hand_corrected,
                                    {[=](auto& entry) { corrected(entry)->set_seat(256); },
                                     [=](auto& entry) { corrected(entry)->set_reason(0); },
                                     [=](auto& entry) { corrected(entry)->set_reason(99); },
                                     [=](auto& entry) { corrected(entry)->set_old_cards(no_card); },
                                     [=](auto& entry) { corrected(entry)->set_cards(no_card); }});
  for (std::size_t how = 0; how < award_mistakes; ++how) {
    spoils.emplace_back([=](auto& entry) { spoil_award(*corrected(entry)->add_reversed(), how); });
  }
  refuse_each([=](auto& entry) { corrected(entry)->set_reason(1); }, spoils);
}

TEST_CASE("decoding refuses a pot with invalid amounts, cards, hands, awards or hits") {
  const auto pot = [](journal::Entry& entry) { return entry.mutable_pot_played(); };
  refuse_each(least(&journal::Entry::mutable_pot_played),
              settled(&journal::Entry::mutable_pot_played,
                      {[=](auto& entry) { pot(entry)->set_pot_cents(too_much); },
                       [=](auto& entry) { pot(entry)->set_contribution_cents(too_much); },
                       [=](auto& entry) { pot(entry)->set_board(no_card); },
                       [=](auto& entry) { pot(entry)->add_hands()->set_seat(256); }}));
}

TEST_CASE("decoding refuses a refusal number above one byte") {
  refuse_each(least(&journal::Entry::mutable_message_refused),
              {[](auto& entry) { entry.mutable_message_refused()->set_refusal(256); }});
  refuse_each(least(&journal::Entry::mutable_act_refused),
              {[](auto& entry) { entry.mutable_act_refused()->set_refusal(256); }});
}

TEST_CASE("decoding refuses claims and slips with invalid fields") {
  const auto paid = [](journal::Entry& entry) { return entry.mutable_claim_paid(); };
  refuse_each([=](auto& entry) { paid(entry)->set_source(3); },
              {[=](auto& entry) { paid(entry)->set_source(0); },
               [=](auto& entry) { paid(entry)->set_source(4); }});
  const auto rejected = [](journal::Entry& entry) { return entry.mutable_claim_rejected(); };
  refuse_each([=](auto& entry) { rejected(entry)->set_reason(1); },
              {[=](auto& entry) { rejected(entry)->set_reason(0); },
               [=](auto& entry) { rejected(entry)->set_reason(99); }});
  const auto issued = [](journal::Entry& entry) { return entry.mutable_slip_issued(); };
  refuse_each([=](auto& entry) { issued(entry)->set_source(1); },
              {[=](auto& entry) { issued(entry)->set_source(0); },
               [=](auto& entry) { issued(entry)->set_amount_cents(too_much); },
               [=](auto& entry) { issued(entry)->set_wager_cents(too_much); },
               [=](auto& entry) { issued(entry)->mutable_threshold()->set_amount_cents(too_much); },
               [=](auto& entry) { issued(entry)->mutable_threshold()->set_ratio(-1); }});
  refuse_each([](auto& entry) { entry.mutable_slip_voided()->set_reason(1); },
              {[](auto& entry) { entry.mutable_slip_voided()->set_reason(0); },
               [](auto& entry) { entry.mutable_slip_voided()->set_reason(99); }});
  refuse_each([](auto& entry) { entry.mutable_slip_stored()->set_digest(digest); },
              {[](auto& entry) { entry.mutable_slip_stored()->set_digest(digest + "d"); }});
}

TEST_CASE("decoding refuses dual-control acts with invalid fields") {
  const std::int64_t over = limits::lifetime_max.units() + 1;
  const std::vector<Say> good = {
      [](auto& entry) { entry.mutable_act_proposed()->mutable_act()->mutable_resume_link(); },
      [](auto& entry) { entry.mutable_act_confirmed()->mutable_act()->mutable_resume_link(); }};
  for (std::size_t step = 0; step < good.size(); ++step) {
    const auto act = [step](journal::Entry& entry) {
      return step == 0 ? entry.mutable_act_proposed()->mutable_act()
                       : entry.mutable_act_confirmed()->mutable_act();
    };
    const auto correct = [=](auto& entry, std::uint32_t reason, std::int64_t units) {
      act(entry)->mutable_correct_meter()->set_reason(reason);
      act(entry)->mutable_correct_meter()->set_units(units);
    };
    const auto transfer = [=](auto& entry, std::uint32_t reason, std::int64_t units) {
      act(entry)->mutable_transfer_meter()->set_reason(reason);
      act(entry)->mutable_transfer_meter()->set_units(units);
    };
    const auto change = [=](auto& entry, const std::string& floor, const std::string& catalogue) {
      act(entry)->mutable_change_parameters()->set_floor_digest(floor);
      act(entry)->mutable_change_parameters()->set_catalogue_digest(catalogue);
    };
    refuse_each(
        good[step],
        {[=](auto& entry) { act(entry)->clear_act(); }, [=](auto& entry) { correct(entry, 0, 1); },
         [=](auto& entry) { correct(entry, 99, 1); }, [=](auto& entry) { correct(entry, 1, over); },
         [=](auto& entry) { correct(entry, 1, -over); },
         [=](auto& entry) { transfer(entry, 0, 1); },
         [=](auto& entry) { transfer(entry, 1, over); },
         [=](auto& entry) { transfer(entry, 1, -over); },
         [=](auto& entry) { act(entry)->mutable_add_person()->set_department(99); },
         [=](auto& entry) { act(entry)->mutable_set_roles()->add_roles(99); },
         [=](auto& entry) { act(entry)->mutable_enrol()->set_kind(0); },
         [=](auto& entry) { act(entry)->mutable_revoke()->set_kind(99); },
         [=](auto& entry) { act(entry)->mutable_accept_history()->set_hash("short"); },
         [=](auto& entry) { act(entry)->mutable_replace_key()->set_kind(0); },
         [=](auto& entry) { act(entry)->mutable_replace_key()->set_kind(6); },
         [=](auto& entry) { change(entry, digest, "short"); },
         [=](auto& entry) { change(entry, "short", digest); },
         [=](auto& entry) {
           change(entry, digest, digest);
           act(entry)->mutable_change_parameters()->mutable_floor()->add_tables()->set_decks(
               limits::decks_max + 1);
         }});
  }
}

TEST_CASE("decoding refuses a self-check that contradicts itself or has half a hash") {
  const auto checked = [](journal::Entry& entry) { return entry.mutable_self_checked(); };
  const Say passed = [=](auto& entry) {
    checked(entry)->set_passed(true);
    checked(entry)->set_head(digest);
  };
  refuse_each(passed, {[=](auto& entry) { checked(entry)->set_passed(false); },
                       [=](auto& entry) { checked(entry)->add_failures(); },
                       [=](auto& entry) { checked(entry)->set_manifest("short"); },
                       [=](auto& entry) { checked(entry)->clear_head(); }});
  refuse_each([](auto& entry) { entry.mutable_history_restored()->set_hash(digest); },
              {[](auto& entry) { entry.mutable_history_restored()->clear_hash(); }});
}

TEST_CASE("decoding refuses facts about days with invalid fields") {
  const std::uint32_t no_day = std::numeric_limits<std::uint32_t>::max();
  const auto ended = [](journal::Entry& entry) { return entry.mutable_day_ended(); };
  const auto taken = [](journal::Entry& entry) { return entry.mutable_reading_taken(); };
  const auto show = [](journal::SignAmount* shown, std::uint32_t link, std::uint32_t level,
                       std::int64_t cents) {
    shown->set_link(link);
    shown->set_level(level);
    shown->set_cents(cents);
  };
  const auto read = [](journal::LinkReading* link) {
    link->add_levels()->mutable_pool();
    link->mutable_reserve();
  };
  refuse_each([=](auto& entry) { read(ended(entry)->add_links()); },
              {[=](auto& entry) { ended(entry)->set_day(no_day); },
               [=](auto& entry) { show(ended(entry)->add_shown(), 1, 0, 1); },
               [=](auto& entry) { show(ended(entry)->add_shown(), 0, 1, 1); },
               [=](auto& entry) { show(ended(entry)->add_shown(), 0, 0, too_much); }});
  refuse_each([=](auto& entry) { read(taken(entry)->add_links()); },
              {[=](auto& entry) { show(taken(entry)->add_shown(), 1, 0, 1); },
               [=](auto& entry) { show(taken(entry)->add_seen(), 0, 0, too_much); },
               [=](auto& entry) { show(taken(entry)->add_seen(), 0, limits::levels_max, 1); }});
  const auto count = [](journal::Entry& entry) { return entry.mutable_count_recorded(); };
  refuse_each([=](auto& entry) { count(entry)->set_kind(1); },
              {[=](auto& entry) { count(entry)->set_day(no_day); },
               [=](auto& entry) { count(entry)->set_kind(0); },
               [=](auto& entry) { count(entry)->set_kind(99); },
               [=](auto& entry) { count(entry)->set_cents(too_much); }});
  refuse_each(least(&journal::Entry::mutable_variance_explained),
              {[=](auto& entry) { entry.mutable_variance_explained()->set_day(no_day); }});
  refuse_each([](auto& entry) { entry.mutable_day_signed()->set_report(digest); },
              {[](auto& entry) { entry.mutable_day_signed()->set_report("short"); },
               [=](auto& entry) { entry.mutable_day_signed()->set_day(no_day); }});
  refuse_each([](auto& entry) { entry.mutable_day_closed()->set_report(digest); },
              {[](auto& entry) { entry.mutable_day_closed()->clear_report(); },
               [=](auto& entry) { entry.mutable_day_closed()->set_day(no_day); }});
  refuse_each(least(&journal::Entry::mutable_fund_moved),
              {[=](auto& entry) { entry.mutable_fund_moved()->set_day(no_day); },
               [](auto& entry) { entry.mutable_fund_moved()->set_cents(too_much); }});
  refuse_each(least(&journal::Entry::mutable_display_adjusted),
              {[](auto& entry) { entry.mutable_display_adjusted()->set_shown_cents(too_much); },
               [](auto& entry) { entry.mutable_display_adjusted()->set_kept_cents(too_much); }});
}

}  // namespace linkmeter::journal_refused_test
