#include "meters/values/refusal.h"

#include <array>

namespace linkmeter {

namespace {

struct Words {
  Refusal refusal;
  std::string_view name;
  std::string_view sentence;
};

// Every refusal is named as in the enumeration.
#define WORDS(refusal, sentence) \
  Words { Refusal::refusal, #refusal, sentence }

constexpr std::array words{
    WORDS(none, "accepted"),
    WORDS(message_malformed, "the bytes are not a valid message"),
    WORDS(table_unknown, "the floor has no such table"),
    WORDS(table_not_yours,
          "the message names another table than the one whose key this connection has"),
    WORDS(message_number_reused, "another message with this number was already answered"),
    WORDS(message_number_forgotten,
          "this number was answered so long ago that the answer is no longer stored"),
    WORDS(message_out_of_order, "an earlier message is missing; send the missing messages first"),
    WORDS(key_unknown, "the key of this connection is not, or no longer, enrolled for a table"),
    WORDS(history_differs, "the controller's journal lacks entries that this table has seen"),
    WORDS(configuration_differs,
          "the table was started with another floor file than the one in force; restart it with "
          "the one in force"),
    WORDS(history_not_accepted,
          "the controller was restored from a backup; two managers must accept the restored "
          "history first"),
    WORDS(not_the_writer, "this controller is a standby; the writer is another node"),
    WORDS(name_malformed,
          "a name, badge, PIN or reason is empty, too long or has characters that are not allowed"),
    WORDS(round_id_used, "this table has already locked a round with this name"),
    WORDS(too_many_open_rounds, "too many rounds of this table are open; close or void one first"),
    WORDS(round_unknown, "this table has locked no round with this name"),
    WORDS(round_closed, "the round is already closed or voided"),
    WORDS(round_blocked,
          "the chip count differs; a floorperson must resolve the count or void the round"),
    WORDS(round_not_blocked, "the round has no wrong chip count to resolve"),
    WORDS(claim_exists, "a claim that this would undo is already validated or paid"),
    WORDS(wrong_game,
          "a pot was sent for a game that is played in rounds, or a round for a game that is "
          "played in pots"),
    WORDS(too_many_wagers, "the message has more wagers than a round can have"),
    WORDS(seat_unknown, "the table has no such seat"),
    WORDS(wager_not_offered, "the table does not offer this wager"),
    WORDS(wager_not_a_unit,
          "the amount is not the unit of a link, or is outside its minimum and maximum"),
    WORDS(seat_wagered_twice, "one seat has this wager twice"),
    WORDS(amount_out_of_range,
          "an amount has a sign, size or number of decimals that is not allowed here"),
    WORDS(meter_full, "a meter would exceed the largest amount that the system can hold"),
    WORDS(link_suspended, "the link is suspended; it takes no wagers until it is resumed"),
    WORDS(card_malformed, "this is not a card of this game"),
    WORDS(wrong_card_count, "the hand or board has more or fewer cards than this game allows"),
    WORDS(card_already_shown, "a card was shown more often than the decks contain it"),
    WORDS(seat_already_shown, "the hand of this seat was already shown"),
    WORDS(dealer_already_shown, "the dealer's hand was already shown"),
    WORDS(fold_without_wager, "a seat without a wager cannot fold"),
    WORDS(showdown_incomplete, "a showdown needs five board cards and two live hands"),
    WORDS(dealer_hand_missing,
          "a wager of the round depends on the dealer's hand, which was not shown"),
    WORDS(draw_made, "the round already has another drawn card or position"),
    WORDS(claim_unknown, "there is no such claim"),
    WORDS(claim_not_raised, "the claim does not wait for validation"),
    Words{
        Refusal::claim_not_validated, "claim_not_validated",
        "the claim does not wait for payment; it must be validated, and not yet paid or rejected"},
    WORDS(source_not_allowed, "this award may not be paid from that source; choose another source"),
    WORDS(claim_settled, "the claim is already paid or rejected"),
    WORDS(person_unknown, "there is no such badge"),
    WORDS(person_locked,
          "the person is locked after too many wrong PINs; a manager's lock ends after a time, and "
          "two managers can set a new PIN"),
    WORDS(pin_wrong, "the badge or the PIN is wrong"),
    WORDS(right_missing, "no role of this person has the right to do this"),
    Words{
        Refusal::person_exists, "person_exists",
        "the badge is or was assigned to a person, or the house has the maximum number of people"},
    WORDS(roles_conflict,
          "a role is of another department, or one person may not have these roles together "
          "(section 605a.8)"),
    Words{
        Refusal::last_of_its_kind, "last_of_its_kind",
        "nobody would be left for this half of dual control; give another person the right first"},
    WORDS(link_unknown, "there is no such link or level, or its reserve opens no meter"),
    WORDS(link_not_suspended, "the link is not suspended"),
    WORDS(link_suspended_already, "the link is already suspended"),
    WORDS(below_zero, "the amount is more than the meter holds"),
    WORDS(proposal_unknown, "there is no open proposal with this number"),
    WORDS(proposal_expired,
          "the confirmation came more than two minutes after the proposal; propose it again"),
    WORDS(same_department, "dual control needs two persons of two departments"),
    WORDS(summary_differs,
          "the confirmed command is not the proposed one; read the proposal again"),
    WORDS(key_malformed, "this is not a public key"),
    WORDS(key_taken, "the key is already in use, or no more keys can be enrolled"),
    WORDS(not_enrolled, "no table, viewer or node with this name is enrolled"),
    WORDS(floor_unresolved,
          "the floor file is not valid with its chapters, or is not the proposed one"),
    WORDS(parameters_unchanged,
          "the floor file changes nothing: its parameters are already in force"),
    WORDS(parameters_outdated,
          "other parameters took effect since this was proposed; propose it again"),
    Words{
        Refusal::tables_differ, "tables_differ",
        "a change cannot add, remove, move or rename a table, nor change its game, seats or decks"},
    WORDS(links_differ, "a change cannot add, remove, move or rename a link"),
    WORDS(link_redefined,
          "a change cannot give a link another wager, other tables or other levels"),
    WORDS(seed_changed, "the level was already opened with its seed; change the reseed instead"),
    WORDS(link_has_open_rounds,
          "a round with a wager on the link is open; wait until it has ended, because it is "
          "settled by the parameters it was locked with"),
    WORDS(limit_below_meter, "a limit must be at or above the present meter (M9)"),
    WORDS(pin_to_be_changed,
          "somebody else knows this PIN; its owner must change it first: linkmeter person pin"),
    WORDS(proposals_too_many,
          "this person has too many open proposals; they expire after two minutes"),
    WORDS(pin_unchanged, "the new PIN is the old one; choose another one"),
    WORDS(same_meter, "a transfer needs two different meters"),
    WORDS(parameters_too_many,
          "the change is too long for two persons to read; make it in several steps"),
    WORDS(same_hand,
          "one of the two persons issued the other's PIN, or one person issued both PINs; another "
          "person must do this"),
    WORDS(second_signature_missing, "a claim of this amount needs a second signature first"),
    WORDS(second_signature_made, "the claim already has its second signature"),
    WORDS(second_signature_not_needed, "a claim of this amount needs no second signature"),
    WORDS(same_person,
          "another person must do this: one who has not already signed, and has not corrected the "
          "hand"),
    WORDS(slip_missing, "a claim is paid on a slip; issue one first"),
    WORDS(slip_unknown, "there is no such slip"),
    WORDS(slip_void, "the slip is void"),
    WORDS(slip_used, "the slip is already paid"),
    WORDS(slip_of_another_claim, "the slip belongs to another claim"),
    WORDS(slip_open, "the claim has a slip that is not paid yet; void the slip first"),
    WORDS(slip_source_differs, "the slip states another source; void it and issue another one"),
    WORDS(slip_stored_already, "the slip's copy is already stored"),
    WORDS(notice_not_offered, "only a fund of pots has a notice of pending adjustment"),
    WORDS(notice_unchanged, "the notice is already as requested"),
    WORDS(seat_not_shown, "no hand of this seat was shown in the round"),
    WORDS(cards_unchanged, "the correction changes nothing: these cards are already recorded"),
    Words{
        Refusal::correction_not_possible, "correction_not_possible",
        "the hand was compared with the dealer's, so it cannot be shown again; correct its cards"},
    WORDS(hand_void, "the hand of this seat is void in this round"),
    WORDS(award_shared,
          "this seat shares an award of the dealer's hand with others; void the whole round"),
    WORDS(dealer_not_shown,
          "the round has no dealer's cards, board or draw that this could correct"),
    WORDS(pot_unknown, "the pot is not among the latest pots of this table"),
    WORDS(day_unknown, "this journal has no such gaming day: it begins later"),
    WORDS(day_not_over, "that gaming day is not over yet"),
    WORDS(day_closed, "that gaming day is already closed"),
    WORDS(day_before_open, "the previous gaming day is not closed yet; close it first"),
    WORDS(day_not_signed, "an accountant must sign the day's report first"),
    WORDS(day_signed_already, "this person has already signed this report of the day"),
    WORDS(report_not_ready, "the day's report is being made; try again in a moment"),
    WORDS(report_differs, "the day's report has changed; read it again"),
    WORDS(variance_unexplained, "a difference of the day is not explained; explain it first"),
    WORDS(claims_pending, "a claim was open when the day ended; state why this is accepted"),
    WORDS(item_unknown, "the day's report has no such difference"),
    WORDS(variance_differs, "the difference has changed; read the report again"),
    WORDS(entry_unknown, "there is no such entry"),
    WORDS(day_full,
          "that gaming day, or this person for this item, has the maximum number of counts and "
          "explanations"),
    WORDS(count_not_possible,
          "this cannot be counted there: a box belongs to one table of a fund of pots, a fund to "
          "no table"),
    WORDS(witness_missing, "a count needs a witness: another person who may witness counts"),
    WORDS(counters_out_of_range,
          "a table reported counters that are negative, too large or not whole cents"),
    WORDS(signs_too_many, "the reading has too many amounts that were read off signs"),
    WORDS(restoration_known, "the journal already records this restoration"),
    WORDS(restoration_unknown,
          "the journal records no such restoration; list them with linkmeter history show"),
    WORDS(restoration_accepted, "the restored history is already accepted"),
    WORDS(history_to_be_accepted,
          "a restored history must be accepted first: linkmeter history accept"),
    WORDS(transfer_not_possible,
          "a transfer to the cage must name tables of one fund of pots, each table once"),
    WORDS(carrier_missing, "a security officer must carry it to the cage; name the officer"),
    WORDS(floorperson_missing, "another person must be present: a floorperson or above"),
    WORDS(display_not_offered, "only the display of a fund of pots can be adjusted"),
    WORDS(display_differs, "the display now shows another amount; read it again"),
    WORDS(witness_not_signed, "the PIN of the person who was present is missing or wrong"),
    WORDS(collecting_ended,
          "this progressive no longer collects: it takes no wagers and receives no money"),
    WORDS(still_collecting, "the link still takes wagers; stop collecting first"),
    WORDS(reseed_stays, "the house's part of the meter, its reseed, must stay on the meter"),
    WORDS(not_alike,
          "money of a fund of pots may go only to another fund of pots, and money of a table game "
          "only to a table game"),
    WORDS(procedure_not_approved,
          "the floor file names no approved procedure to discontinue this fund"),
    WORDS(to_house, "the link holds players' money; name the progressive that receives it"),
    WORDS(link_has_open_claims,
          "an award of this link is not settled; pay or reject its claim first"),
    WORDS(link_ended, "this progressive was discontinued"),
    WORDS(badge_missing, "this step needs the badge of a person who has the right to it"),
    WORDS(corrections_too_many,
          "this round or pot was already corrected 32 times; it takes no further correction"),
    WORDS(slips_too_many,
          "the claim has already had 16 slips, void ones included; it takes no further one"),
    WORDS(wager_not_locked,
          "the lock does not have this wager; a resolved count may only leave wagers out"),
    WORDS(notice_missing,
          "a box is counted after notice to the casino compliance representative; name the person "
          "who was notified"),
    WORDS(recording_missing,
          "surveillance must record a count at a closed table; name the recording"),
    WORDS(notified_not_possible,
          "the notice of a Bad Beat must go to a person of security or finance"),
    WORDS(uncounted_wager_missing,
          "the chip count does not cover this wager of the lock; keep the wager in the list"),
    WORDS(pace_exceeded,
          "the table sends more than its pace allows; this message is accepted later"),
    WORDS(table_frozen,
          "the table is frozen: it takes no new round until two managers unfreeze it"),
    WORDS(table_frozen_already, "the table is already frozen"),
    WORDS(table_not_frozen, "the table is not frozen"),
    WORDS(clock_not_doubted, "the system's clock is not in doubt"),
    WORDS(clock_doubt_unknown, "the clock now differs by another time; see linkmeter clock show"),
    WORDS(clock_too_far, "the clock differs too much to be confirmed; set the system's clock"),
    WORDS(clock_to_be_confirmed,
          "the system's clock is in doubt; set it right, or confirm it: linkmeter clock confirm"),
    WORDS(key_not_proved, "the new key is not signed with the key in force"),
    WORDS(key_outdated, "the key was replaced since this was proposed; propose it again"),
    WORDS(key_not_made, "the new key could not be made; see the controller's log"),
    WORDS(pins_to_be_changed,
          "some PINs are still sealed with a previous key of PINs; their owners must change them, "
          "or two managers must reset them, first"),
    WORDS(pin_key_replaced,
          "the key of PINs was replaced since this was proposed; propose it again"),
    WORDS(suspensions_changed,
          "a link of the list was resumed or suspended again since this was proposed; propose it "
          "again"),
    WORDS(nodes_too_many, "the house has the most nodes that it can have; revoke one first"),
    WORDS(leave_not_possible, "a node can leave a cluster only while its etcd does not answer"),
    WORDS(writer_outdated, "a later writer has already taken over"),
    WORDS(pin_malformed, "a new PIN must have 6 to 12 digits"),
    WORDS(pin_too_simple,
          "a new PIN must not be one repeated digit, a run, a repeated pattern, a common choice, "
          "or the digits of the badge"),
    WORDS(recovery_codes_wrong,
          "these recovery codes are not enough: give two different valid codes; if two managers "
          "made the codes, two of each manager"),
    WORDS(recovery_waits,
          "wrong recovery codes were tried; wait before the next try, at most an hour"),
    WORDS(recovery_not_possible,
          "too few valid recovery codes are left; two managers must make new ones: linkmeter "
          "recover --new-codes"),
    WORDS(another_agent,
          "another agent of this table is connected; this agent waits until the other one is gone"),
    WORDS(not_here, "only the owner of the data folder can do this, on the controller's machine"),
    WORDS(discontinuation_removed,
          "the floor file no longer names the Board's approval of the procedure to discontinue the "
          "fund; it may name another approval, but not none (§ 553.20(i))"),
    WORDS(too_many_attempts, "too many wrong PINs came from this user; wait before the next try"),
    WORDS(too_many_requests, "this user has too many open requests; try again in a moment"),
    WORDS(terms_changed,
          "the link's parameters changed after the pot was played, so the pot can no longer be "
          "corrected"),
    WORDS(recovery_codes_missing,
          "the confirmation lacks three new recovery codes of the second manager; linkmeter "
          "confirm makes them"),
    WORDS(pin_used_before, "the new PIN is the one before the last; choose another one"),
    WORDS(sign_named_twice, "the reading names one level of a link twice; name each sign once"),
};

#undef WORDS

const Words& words_of(Refusal refusal) {
  for (const Words& entry : words) {
    if (entry.refusal == refusal) return entry;
  }
  return words.front();
}

}  // namespace

std::string_view name(Refusal refusal) { return words_of(refusal).name; }

std::string_view sentence(Refusal refusal) { return words_of(refusal).sentence; }

std::optional<Refusal> parse_refusal(std::string_view name) {
  for (const Words& entry : words) {
    if (entry.name == name) return entry.refusal;
  }
  return std::nullopt;
}

}  // namespace linkmeter
