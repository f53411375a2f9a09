#include "meters/values/refusal.h"

#include <doctest/doctest.h>
#include <set>
#include <string>
#include <string_view>

#include "tests/support/capture_binding.h"

namespace linkmeter::refusal_test {
namespace {

// The numbers and names in the journal and on the wire; they never change.
constexpr std::pair<int, std::string_view> known[] = {
    {0, "none"},
    {1, "message_malformed"},
    {2, "table_unknown"},
    {3, "table_not_yours"},
    {4, "message_number_reused"},
    {5, "message_number_forgotten"},
    {6, "message_out_of_order"},
    {7, "key_unknown"},
    {8, "history_differs"},
    {9, "configuration_differs"},
    {10, "history_not_accepted"},
    {11, "not_the_writer"},
    {20, "name_malformed"},
    {21, "round_id_used"},
    {22, "too_many_open_rounds"},
    {23, "round_unknown"},
    {24, "round_closed"},
    {25, "round_blocked"},
    {26, "round_not_blocked"},
    {27, "claim_exists"},
    {28, "wrong_game"},
    {40, "too_many_wagers"},
    {41, "seat_unknown"},
    {42, "wager_not_offered"},
    {43, "wager_not_a_unit"},
    {44, "seat_wagered_twice"},
    {45, "amount_out_of_range"},
    {46, "meter_full"},
    {47, "link_suspended"},
    {60, "card_malformed"},
    {61, "wrong_card_count"},
    {62, "card_already_shown"},
    {63, "seat_already_shown"},
    {64, "dealer_already_shown"},
    {65, "fold_without_wager"},
    {66, "showdown_incomplete"},
    {67, "dealer_hand_missing"},
    {68, "draw_made"},
    {80, "claim_unknown"},
    {81, "claim_not_raised"},
    {82, "claim_not_validated"},
    {83, "source_not_allowed"},
    {84, "claim_settled"},
    {100, "person_unknown"},
    {101, "person_locked"},
    {102, "pin_wrong"},
    {103, "right_missing"},
    {104, "person_exists"},
    {105, "roles_conflict"},
    {106, "last_of_its_kind"},
    {107, "link_unknown"},
    {108, "link_not_suspended"},
    {109, "link_suspended_already"},
    {110, "below_zero"},
    {111, "proposal_unknown"},
    {112, "proposal_expired"},
    {113, "same_department"},
    {114, "summary_differs"},
    {115, "key_malformed"},
    {116, "key_taken"},
    {117, "not_enrolled"},
    {120, "floor_unresolved"},
    {121, "parameters_unchanged"},
    {122, "parameters_outdated"},
    {123, "tables_differ"},
    {124, "links_differ"},
    {125, "link_redefined"},
    {126, "seed_changed"},
    {127, "link_has_open_rounds"},
    {128, "limit_below_meter"},
    {129, "pin_to_be_changed"},
    {130, "proposals_too_many"},
    {131, "pin_unchanged"},
    {132, "same_meter"},
    {133, "parameters_too_many"},
    {134, "same_hand"},
    {135, "second_signature_missing"},
    {136, "second_signature_made"},
    {137, "second_signature_not_needed"},
    {138, "same_person"},
    {139, "slip_missing"},
    {140, "slip_unknown"},
    {141, "slip_void"},
    {142, "slip_used"},
    {143, "slip_of_another_claim"},
    {144, "slip_open"},
    {145, "slip_source_differs"},
    {146, "slip_stored_already"},
    {147, "notice_not_offered"},
    {148, "notice_unchanged"},
    {149, "seat_not_shown"},
    {150, "cards_unchanged"},
    {151, "correction_not_possible"},
    {152, "day_unknown"},
    {153, "day_not_over"},
    {154, "day_closed"},
    {155, "day_before_open"},
    {156, "day_not_signed"},
    {157, "day_signed_already"},
    {158, "report_not_ready"},
    {159, "report_differs"},
    {160, "variance_unexplained"},
    {161, "claims_pending"},
    {162, "item_unknown"},
    {163, "variance_differs"},
    {164, "entry_unknown"},
    {165, "day_full"},
    {166, "count_not_possible"},
    {167, "witness_missing"},
    {174, "restoration_known"},
    {175, "restoration_unknown"},
    {176, "restoration_accepted"},
    {177, "history_to_be_accepted"},
    {178, "transfer_not_possible"},
    {179, "carrier_missing"},
    {180, "floorperson_missing"},
    {181, "display_not_offered"},
    {182, "display_differs"},
    {183, "witness_not_signed"},
    {168, "collecting_ended"},
    {169, "still_collecting"},
    {170, "reseed_stays"},
    {171, "not_alike"},
    {172, "procedure_not_approved"},
    {173, "to_house"},
    {184, "link_has_open_claims"},
    {185, "link_ended"},
    {198, "badge_missing"},
    {199, "wager_not_locked"},
    {200, "uncounted_wager_missing"},
    {206, "counters_out_of_range"},
    {207, "signs_too_many"},
    {201, "notice_missing"},
    {202, "recording_missing"},
    {203, "notified_not_possible"},
    {226, "pace_exceeded"},
    {227, "table_frozen"},
    {228, "table_frozen_already"},
    {229, "table_not_frozen"},
    {232, "recovery_codes_missing"},
    {233, "pin_used_before"},
    {234, "sign_named_twice"},
    {230, "corrections_too_many"},
    {231, "slips_too_many"},
    {236, "clock_not_doubted"},
    {237, "clock_doubt_unknown"},
    {238, "clock_too_far"},
    {239, "clock_to_be_confirmed"},
    {190, "hand_void"},
    {191, "award_shared"},
    {192, "dealer_not_shown"},
    {193, "pot_unknown"},
    {246, "key_not_proved"},
    {247, "key_outdated"},
    {248, "key_not_made"},
    {249, "pins_to_be_changed"},
    {250, "pin_key_replaced"},
    {251, "suspensions_changed"},
    {252, "nodes_too_many"},
    {253, "writer_outdated"},
    {254, "leave_not_possible"},
    {212, "pin_malformed"},
    {213, "pin_too_simple"},
    {214, "recovery_codes_wrong"},
    {215, "recovery_waits"},
    {216, "recovery_not_possible"},
    {217, "not_here"},
    {218, "discontinuation_removed"},
    {208, "another_agent"},
    {204, "too_many_attempts"},
    {205, "too_many_requests"},
    {224, "terms_changed"},
};

}  // namespace

TEST_CASE("every refusal has a stable number and name, which is parsed back") {
  std::set<std::string_view> names, sentences;
  for (const auto& [number, text] : known) {
    CAPTURE_BINDING(number);
    const auto refusal = static_cast<Refusal>(number);
    CHECK_EQ(name(refusal), text);
    CHECK_EQ(parse_refusal(text), refusal);
    CHECK_FALSE(sentence(refusal).empty());
    names.insert(name(refusal));
    sentences.insert(sentence(refusal));
  }
  CHECK_EQ(names.size(), std::size(known));
  CHECK_EQ(sentences.size(), std::size(known));
}

TEST_CASE("no other number or word is a refusal") {
  std::size_t named = 0;
  for (int number = 1; number <= 255; ++number) {
    if (name(static_cast<Refusal>(number)) != "none") ++named;
  }
  CHECK_EQ(named, std::size(known) - 1);
  for (const char* text : {"", "None", "round_close", "round_closed "}) {
    CHECK_FALSE(parse_refusal(text));
  }
}

TEST_CASE("refusals before a message counts are not journaled") {
  for (const auto& [number, text] : known) {
    CAPTURE_BINDING(text);
    CHECK_EQ(is_journaled(static_cast<Refusal>(number)),
             number >= 20 && number != 208 && number != 226);
  }
}

}  // namespace linkmeter::refusal_test
