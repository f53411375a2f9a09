// Plant: a deliberate mistake between two real parts of the simulated house. The simulation must
// detect each of them: a judge that has never detected anything proves nothing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace linkmeter {

enum class Plant : std::uint8_t {
  none,
  // Acknowledged means on disk.
  disk_does_not_sync,
  rows_forgotten,
  acknowledged_ahead,
  person_told_ahead,
  // Counted once.
  controller_forgets_answers,
  repeats_taken_for_new,
  outbox_does_not_sync,
  agent_never_resends,
  other_words_resent,
  message_never_delivered,
  answer_of_another,
  table_miscounts,
  // Every cent explained: the laws of money.
  accrual_a_unit_more,
  meter_rounded_up,
  seed_from_corrections,
  reserve_kept_at_reseed,
  part_of_meter_reseeds,
  lowest_seat_first,
  odd_cent_to_the_last,
  void_lowers_the_meter,
  limit_passed,
  refused_for_another_reason,
  refused_as_closed,
  rejection_restores_otherwise,
  correction_for_another_reason,
  envy_off_a_meter,
  postings_do_not_balance,
  reading_a_cent_off,
  paytable_of_another_house,
  // The sign never lies.
  sign_a_cent_more,
  sign_never_stale,
  sign_shows_suspended,
  // A win never stops the floor.
  link_stops_after_a_win,
  suspension_without_a_reason,
  // History cannot be edited.
  entry_edited,
  entry_edited_and_chained,
  entries_cut,
  witness_not_told,
  // The link.
  revoked_table_heard,
  key_of_another_table,
  served_without_self_check,
  torn_rows_believed,
  table_plays_on_alone,
  suspension_not_told,
  person_both_halves,
  round_forgotten_at_restart,
  wagers_raise_nothing,
  sign_does_not_follow,
  wins_in_another_order,
  hit_not_counted,
  claim_paid_unvalidated,
  // Days and clocks.
  time_goes_back,
  set_clock_not_told,
  day_not_ended,
  day_ended_twice,
};

struct Canary {
  Plant plant = Plant::none;
  std::string_view name;   // "acknowledged before the commit is on the disk"
  std::string_view of;     // the promise or law: "promise 1", "M4"
  std::string_view judge;  // that must detect it (finding.h): "model", or "start or link"
};

// All of them, in their order.
const std::vector<Canary>& canaries();

}  // namespace linkmeter
