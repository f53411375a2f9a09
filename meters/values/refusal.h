// Refusal: all reasons to refuse a message or request, in order of precedence: if several apply,
// the first is given. A refused message changes no money. The numbers are in the journal and on the
// wire: they never change and are never reused.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace linkmeter {

enum class Refusal : std::uint8_t {
  none = 0,

  // About the sender and the message number. These refusals are answered and logged, not journaled:
  // a stranger cannot make the journal grow, and the number of the named table is not used up.
  message_malformed = 1,         // the bytes are not a message
  table_unknown = 2,             // no such table on this floor
  table_not_yours = 3,           // sent over another table's connection
  message_number_reused = 4,     // a number that was answered, with other content
  message_number_forgotten = 5,  // answered so long ago that the answer is forgotten
  message_out_of_order = 6,      // an earlier number is missing: resend from there

  key_unknown = 7,            // the connection's key is not a table's (any more); checked first
  history_differs = 8,        // this journal lacks entries that the table has seen
  configuration_differs = 9,  // the table was started with another configuration than in force

  history_not_accepted = 10,  // a restored backup waits until two managers accept it

  not_the_writer = 11,  // this controller is a standby: another node takes messages and requests

  // About the round. From here on a refusal uses up the message's number and is journaled.
  name_malformed = 20,        // a name, badge, PIN or reason that is not well-formed
  round_id_used = 21,         // a lock or pot of a round that the table has, or had (late wager)
  too_many_open_rounds = 22,  // limits::rounds_open_per_table_max
  round_unknown = 23,         // no such round at this table
  round_closed = 24,          // the round is already closed or voided
  round_blocked = 25,         // the chip count differs and is not resolved
  round_not_blocked = 26,     // there is no wrong count to resolve
  claim_exists = 27,          // a validated or paid claim prevents the void or correction
  wrong_game = 28,  // a pot at a table that deals rounds, or a round at one that plays pots

  // About wagers (M10). One bad wager refuses the whole message.
  too_many_wagers = 40,      // limits::wagers_per_round_max
  seat_unknown = 41,         // no such seat at this table
  wager_not_offered = 42,    // a kind of wager that no link of this table takes
  wager_not_a_unit = 43,     // not a link's unit, or outside its minimum and maximum
  seat_wagered_twice = 44,   // one seat has the same kind of wager twice
  amount_out_of_range = 45,  // an invalid sign, size or number of decimals
  meter_full = 46,           // would raise a meter above limits::meter_max
  link_suspended = 47,       // the wager's link is suspended

  // About cards and hands.
  card_malformed = 60,        // not a card, or a joker in a game without one
  wrong_card_count = 61,      // more or fewer cards than a hand or board has in this game
  card_already_shown = 62,    // more copies of a card than the decks contain
  seat_already_shown = 63,    // each seat is shown only once
  dealer_already_shown = 64,  // the dealer's hand is settled only once
  fold_without_wager = 65,    // a fold of a seat without a wager
  showdown_incomplete = 66,   // a showdown needs five board cards and two live hands
  dealer_hand_missing = 67,   // no dealer's hand in a show or close, but a wager depends on it
  draw_made = 68,             // another Magic Card or Lucky position than the round's draw

  // About claims.
  claim_unknown = 80,        // no such claim
  claim_not_raised = 81,     // already validated, paid or rejected
  claim_not_validated = 82,  // not validated before the payment
  source_not_allowed = 83,   // the chapter does not allow this source
  claim_settled = 84,        // already paid or rejected

  // About people and their requests. Journaled with the person, if there is such a person.
  person_unknown = 100,      // no such badge, or removed
  person_locked = 101,       // too many failed sign-ins
  pin_wrong = 102,           // found outside the core
  right_missing = 103,       // no role of this person has the right
  person_exists = 104,       // the badge is or was assigned; or limits::people_max
  roles_conflict = 105,      // roles of several departments, or ones that L11 separates
  last_of_its_kind = 106,    // would leave nobody for one half of dual control
  link_unknown = 107,        // no such link or level, or a reserve that opens no meter
  link_not_suspended = 108,  // there is nothing to resume
  link_suspended_already = 109,
  below_zero = 110,        // a correction or transfer of more than the balance
  proposal_unknown = 111,  // no such proposal, or it is completed
  proposal_expired = 112,  // confirmed too late: propose it again
  same_department = 113,   // both persons of dual control are of one department, or one person
  summary_differs = 114,   // the confirmed command is not the proposed one
  key_malformed = 115,     // not a valid public key
  key_taken = 116,         // the key is already enrolled
  not_enrolled = 117,      // there is nothing to revoke

  // About a change of parameters. Entry 1 fixes the links and tables for ever.
  floor_unresolved = 120,      // the texts are not a valid floor, or not the proposed one
  parameters_unchanged = 121,  // nothing would change
  parameters_outdated = 122,   // another change took effect since it was proposed
  tables_differ = 123,         // a table added, removed, moved or renamed, or another game or size
  links_differ = 124,          // a link added, removed, moved or renamed
  link_redefined = 125,        // another wager, other tables or levels of a link
  seed_changed = 126,          // the level was already opened with its seed
  link_has_open_rounds = 127,  // a wager on the link waits for its hand
  limit_below_meter = 128,     // M9

  // More about people and their requests. pin_to_be_changed takes precedence over all other
  // refusals of a request except person_unknown and person_locked.
  pin_to_be_changed = 129,    // somebody else knows the PIN of the person or proposer
  proposals_too_many = 130,   // limits::proposals_open_per_person_max, or parameters; checked last
  pin_unchanged = 131,        // the new PIN equals the old one
  same_meter = 132,           // a transfer from a meter to itself
  parameters_too_many = 133,  // more lines before and after than limits::changes_max
  same_hand = 134,            // one of the two, or a third person, may have made both PINs

  // About the second signature and slips.
  second_signature_missing = 135,     // no slip before the signature that the ladder requires
  second_signature_made = 136,        // the claim already has it
  second_signature_not_needed = 137,  // the ladder does not require it
  same_person = 138,   // the validator may not countersign, issue the slip or pay; the corrector
                       // may not validate, nor reject so that the Envy is paid
  slip_missing = 139,  // a payment without a slip
  slip_unknown = 140,  // no such slip
  slip_void = 141,     // the slip is void
  slip_used = 142,     // the slip is already paid
  slip_of_another_claim = 143,
  slip_open = 144,            // a second slip, or a rejection, while a slip is open: void it first
  slip_source_differs = 145,  // a payment from another source than the slip states
  slip_stored_already = 146,  // the slip's copy is already recorded

  // About notices.
  notice_not_offered = 147,  // the link is not a fund of pots
  notice_unchanged = 148,    // the notice is already in the requested state

  // About corrections of a hand.
  seat_not_shown = 149,           // there is no hand of that seat to correct
  cards_unchanged = 150,          // a correction that changes nothing
  correction_not_possible = 151,  // "no hand" for a hand that was compared with the dealer's

  hand_void = 190,         // a void, show or correction of a void hand
  award_shared = 191,      // a void of a hand that shares an award of the dealer's hand
  dealer_not_shown = 192,  // nothing was shown that this would correct
  pot_unknown = 193,       // no such pot among the table's latest pots
  // About the limits of corrections and slips.
  corrections_too_many = 230,  // limits::corrections_max, of one round or pot
  slips_too_many = 231,        // limits::slips_per_claim_max
  // About gaming days.
  day_unknown = 152,           // before the first day of this journal
  day_not_over = 153,          // not over, or its end is not journaled yet
  day_closed = 154,            // no further facts about it are accepted
  day_before_open = 155,       // days are closed in order
  day_not_signed = 156,        // a second signature before the first
  day_signed_already = 157,    // by the same person, for the same report
  report_not_ready = 158,      // the day's report is still being built
  report_differs = 159,        // not the report that was read or signed
  variance_unexplained = 160,  // nobody has explained a difference
  claims_pending = 161,        // a claim was open at the day's end and has no accepted note
  item_unknown = 162,          // the report has no such difference
  variance_differs = 163,      // the difference has changed since
  entry_unknown = 164,         // no such entry
  day_full = 165,              // limits::day_facts_max, limits::day_facts_per_item_max
  count_not_possible = 166,    // a box that is not of pots, a fund at one table, a foreign table
  witness_missing = 167,       // no other person, or one who may not witness

  // About restored backups.
  restoration_known = 174,       // not a person's request: the journal already records it
  restoration_unknown = 175,     // no such restoration, or another one than the entry states
  restoration_accepted = 176,    // it is already accepted
  history_to_be_accepted = 177,  // a restored history must be accepted first
  // About the fund of pots (§ 553.20).
  transfer_not_possible = 178,  // no table, one table twice, or tables of other links
  carrier_missing = 179,        // no security officer carries it
  floorperson_missing = 180,    // no other person, or no floorperson or above
  display_not_offered = 181,    // the link is not a fund of pots
  display_differs = 182,        // the display shows another amount than the one read
  witness_not_signed = 183,     // the witness's PIN is missing or wrong
  // About discontinuations.
  collecting_ended = 168,        // a wager on, or money for, a link that no longer collects
  still_collecting = 169,        // the link must stop collecting before its discontinuation
  reseed_stays = 170,            // would take the house's reseed from a meter
  not_alike = 171,               // between a fund of pots and a meter of a table game
  procedure_not_approved = 172,  // a fund of pots without an approved procedure to end it
  to_house = 173,                // players' money without another progressive to receive it
  link_has_open_claims = 184,    // an award of the link is not settled
  link_ended = 185,              // the link was discontinued

  // About the resolution of a wrong chip count.
  badge_missing = 198,            // a step that needs a person's badge has none: a
                                  // resolve, or a void that rejects claims
  wager_not_locked = 199,         // a wager that the lock does not have
  uncounted_wager_missing = 200,  // a wager that chips do not count was left out
  // About counters and readings.
  counters_out_of_range = 206,  // a table reports impossible counters
  signs_too_many = 207,         // limits::signs_seen_max
  // About agents that have the same table's key.
  another_agent = 208,  // another agent of the table is connected; not journaled, this one waits
  // More about the fund of pots (§ 553.20(d), (f)).
  notice_missing = 201,         // a box was counted, but no compliance representative is named
  recording_missing = 202,      // a count at a closed table without surveillance's recording
  notified_not_possible = 203,  // a Bad Beat's notice must go to security or finance
  // About requests over the staff socket.
  too_many_attempts = 204,  // too many wrong PINs from this user: the next one waits
  too_many_requests = 205,  // this user has the maximum of open requests
  // About the pace and the freezing of a table, and about resuming several links.
  pace_exceeded = 226,         // too early for the table's pace: not journaled, resend later
  table_frozen = 227,          // a lock or pot of a frozen table; takes precedence over all
                               // other reasons except name_malformed
  table_frozen_already = 228,  // frozen before; the first reason stays
  table_not_frozen = 229,      // there is nothing to unfreeze
  // About the system's clock (clock_trust.h).
  clock_not_doubted = 236,      // there is no doubt
  clock_doubt_unknown = 237,    // another doubt has replaced it
  clock_too_far = 238,          // differs by more than any house is closed
  clock_to_be_confirmed = 239,  // no link operates while the clock is in doubt
  // About the house's keys.
  key_not_proved = 246,      // not signed with the previous key
  key_outdated = 247,        // another key took effect since the proposal
  key_not_made = 248,        // the controller or its token could not make a new key
  pins_to_be_changed = 249,  // a PIN is still sealed with the previous key of PINs
  pin_key_replaced = 250,    // the PIN of the proposal was sealed with a previous key
  // About resuming links together.
  suspensions_changed = 251,  // a listed link was resumed, or suspended again, since
  // About nodes.
  nodes_too_many = 252,   // limits::nodes_max
  writer_outdated = 253,  // not a person's request: a later writer has taken over
  // About PINs, locks and recovery.
  pin_malformed = 212,          // a new PIN that is not 6 to 12 digits
  pin_too_simple = 213,         // a new PIN that is easy to guess
  recovery_codes_wrong = 214,   // not enough different valid recovery codes
  recovery_waits = 215,         // too soon after wrong codes
  recovery_not_possible = 216,  // too few codes are left, or none were made
  not_here = 217,               // only on the controller's machine, by the owner of the data folder
  // About a cluster.
  leave_not_possible = 254,  // the controller is in no cluster, or etcd answers
  // More about a change of parameters.
  discontinuation_removed = 218,  // a fund of pots would lose the approval of its discontinuation
  // About corrections of a pot.
  terms_changed = 224,           // the link's parameters changed after the pot
  recovery_codes_missing = 232,  // a confirmation of new codes without the second person's codes
  pin_used_before = 233,         // the new PIN is the one before the last
  // About readings.
  sign_named_twice = 234,  // a reading has two amounts for one level
};

// The stable id, such as "wager_not_a_unit", and a sentence for people.
std::string_view name(Refusal refusal);
std::string_view sentence(Refusal refusal);
std::optional<Refusal> parse_refusal(std::string_view name);

// Of two reasons to refuse the same message, the one that takes precedence. `none` yields to any.
constexpr Refusal first_of(Refusal one, Refusal other) {
  if (one == Refusal::none || other == Refusal::none) return one == Refusal::none ? other : one;
  return one < other ? one : other;
}

// Whether the refusal of a table's message uses up its number and becomes an entry.
constexpr bool is_journaled(Refusal refusal) {
  return refusal >= Refusal::name_malformed && refusal != Refusal::pace_exceeded &&
         refusal != Refusal::another_agent;
}

}  // namespace linkmeter
