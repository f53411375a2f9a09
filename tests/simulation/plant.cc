#include "tests/simulation/plant.h"

namespace linkmeter {

const std::vector<Canary>& canaries() {
  using enum Plant;
  static const std::vector<Canary> all{
      {disk_does_not_sync, "acknowledged before it is on the disk", "promise 1", "chain"},
      {rows_forgotten, "state rows forgotten", "promise 1", "start"},
      {acknowledged_ahead, "a message acknowledged that was not taken", "promise 1", "reply"},
      {person_told_ahead, "a person told of another entry than his", "promise 1", "reply"},
      {controller_forgets_answers, "answers forgotten at the restart", "promise 2", "reply"},
      {repeats_taken_for_new, "repeats taken for new", "promise 2", "once"},
      {outbox_does_not_sync, "an outbox that does not sync", "promise 2", "once"},
      {agent_never_resends, "an agent that never resends", "promise 2", "end"},
      {other_words_resent, "a resend in other words", "promise 2", "once"},
      {message_never_delivered, "a message that never arrives", "promise 2", "end"},
      {answer_of_another, "answered with another message's entry", "promise 2", "reply"},
      {table_miscounts, "a table that counts otherwise than the journal", "promise 3", "table"},
      {accrual_a_unit_more, "10⁻⁸ dollar too much on a meter", "M1", "model"},
      {meter_rounded_up, "an award rounded up", "M2", "model"},
      {seed_from_corrections, "a seed off the wrong account", "M3", "model"},
      {reserve_kept_at_reseed, "the reserve kept at a reseed", "M4", "model"},
      {part_of_meter_reseeds, "a seed after a part of a meter", "M5", "model"},
      {lowest_seat_first, "settled from the dealer's left", "M6", "model"},
      {odd_cent_to_the_last, "two seats' shares exchanged", "M7", "model"},
      {void_lowers_the_meter, "a void that lowers the meter", "M8", "model"},
      {limit_passed, "a meter above its limit", "M9", "model"},
      {refused_for_another_reason, "refused for another reason", "M10", "model"},
      {refused_as_closed, "a good message refused", "M10", "model"},
      {rejection_restores_otherwise, "a rejected claim put back otherwise", "M11", "model"},
      {correction_for_another_reason, "a correction for another reason", "M12", "law"},
      {envy_off_a_meter, "a fixed award off a meter", "M13", "model"},
      {postings_do_not_balance, "postings that do not sum to zero", "M14", "law"},
      {reading_a_cent_off, "a day's reading a cent off", "promise 3", "law"},
      {paytable_of_another_house, "paytables changed without an entry", "L8", "model"},
      {sign_a_cent_more, "a sign a cent above the meter", "promise 4", "sign"},
      {sign_never_stale, "a sign that never says it is stale", "promise 4", "sign"},
      {sign_shows_suspended, "a sign with a suspended link's amount", "promise 4", "sign"},
      {link_stops_after_a_win, "a link that stops after a win", "promise 5", "link"},
      {suspension_without_a_reason, "a suspension that does not say why", "L3", "law"},
      {entry_edited, "an entry edited", "promise 6", "chain"},
      {entry_edited_and_chained, "an entry edited, and all after it chained anew", "promise 6",
       "chain"},
      {entries_cut, "entries cut from the end", "promise 6", "chain"},
      {revoked_table_heard, "a revoked key still heard", "L1", "reply"},
      {key_of_another_table, "a table heard with another's key", "L1", "reply"},
      {served_without_self_check, "serves without a self-check", "L2", "start"},
      {torn_rows_believed, "damaged rows believed", "L2", "start"},
      {table_plays_on_alone, "a table plays on without its controller", "L5", "table"},
      {suspension_not_told, "a table is not told of a suspension", "L9", "reply"},
      {person_both_halves, "one person both halves", "L11", "law"},
      {claim_paid_unvalidated, "a claim paid that nobody validated", "claims", "law"},
      {time_goes_back, "a recorded time that goes back", "section 7", "clock"},
      {set_clock_not_told, "a clock that was set without an entry", "section 7", "clock"},
      {day_not_ended, "a day that does not end", "section 7", "day"},
      {day_ended_twice, "a day that ends twice", "section 7", "day"},
  };
  return all;
}

}  // namespace linkmeter
