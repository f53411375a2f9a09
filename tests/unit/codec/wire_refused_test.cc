// Frames that no release sends: every field of every message, set to each impossible value.
#include <doctest/doctest.h>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "meters/game/card.h"
#include "meters/values/limits.h"
#include "proto/codec/wire_codec.h"
#include "proto/wire.pb.h"

namespace linkmeter::wire_refused_test {
namespace {

const std::string no_card(1, static_cast<char>(Card::index_count));
constexpr std::int64_t too_much = std::numeric_limits<std::int64_t>::max();

bool is_read(const wire::FromTable& frame) {
  return decode_from_table(frame.SerializeAsString()).has_value();
}
bool is_read(const wire::ToTable& frame) {
  return decode_to_table(frame.SerializeAsString()).has_value();
}

template <class Frame>
using Say = std::function<void(Frame&)>;

// `good` is read; each change of `spoils` makes it invalid.
template <class Frame>
void refuse_each(const Say<Frame>& good, const std::vector<Say<Frame>>& spoils) {
  Frame frame;
  good(frame);
  REQUIRE(is_read(frame));
  for (std::size_t at = 0; at < spoils.size(); ++at) {
    CAPTURE(at);
    Frame spoilt = frame;
    spoils[at](spoilt);
    CHECK_FALSE(is_read(spoilt));
  }
}

void fill_head(wire::Head* head) { head->set_hash(std::string(32, 'h')); }

// Every mistake in an award that is sent to a table.
template <class Make>
std::vector<Say<wire::ToTable>> award_mistakes(const Make& make) {
  return {[=](auto& frame) { make(frame)->set_seat(256); },
          [=](auto& frame) { make(frame)->set_amount_cents(too_much); },
          [=](auto& frame) { make(frame)->set_amount_cents(-1); },
          [=](auto& frame) { make(frame)->set_kind(256); },
          [=](auto& frame) { make(frame)->set_holder(256); }};
}

}  // namespace

TEST_CASE("decoding refuses a table's messages with invalid fields") {
  using Frame = wire::FromTable;
  const auto show = [](Frame& frame) { return frame.mutable_message()->mutable_show(); };
  refuse_each<Frame>(
      [=](auto& frame) {
        frame.mutable_message()->set_number(1);
        show(frame);
      },
      {[=](auto& frame) { frame.mutable_message()->clear_body(); },
       [=](auto& frame) { show(frame)->add_hands()->set_seat(256); },
       [=](auto& frame) { show(frame)->add_hands()->set_won_cents(too_much); },
       [=](auto& frame) { show(frame)->add_hands()->set_cards(no_card); },
       [=](auto& frame) { show(frame)->set_dealer(no_card); },
       [=](auto& frame) { show(frame)->set_board(no_card); },
       [=](auto& frame) { show(frame)->mutable_draw()->set_magic(Card::index_count); },
       [=](auto& frame) { show(frame)->mutable_draw()->set_seat(256); },
       [=](auto& frame) { frame.mutable_message()->mutable_lock()->add_wagers()->set_seat(256); },
       [=](auto& frame) {
         frame.mutable_message()->mutable_resolve()->add_wagers()->set_seat(256);
       },
       [=](auto& frame) { frame.mutable_message()->mutable_pot()->set_pot_cents(too_much); },
       [=](auto& frame) { frame.mutable_message()->mutable_pot()->set_board(no_card); },
       [=](auto& frame) { frame.mutable_message()->mutable_pot()->add_hands()->set_seat(256); }});
}

TEST_CASE("decoding refuses a Hello or heartbeat with incomplete hashes or too long lists") {
  using Frame = wire::FromTable;
  const auto hello = [](Frame& frame) { return frame.mutable_hello(); };
  refuse_each<Frame>(
      [=](auto& frame) {
        fill_head(hello(frame)->mutable_witness());
        hello(frame)->set_floor(std::string(128, 'f'));
      },
      {[=](auto& frame) { hello(frame)->mutable_witness()->clear_hash(); },
       [=](auto& frame) { hello(frame)->add_history(); },
       [=](auto& frame) { hello(frame)->mutable_floor()->push_back('f'); }});
  const auto sign_in = [](Frame& frame) { return frame.mutable_sign_in(); };
  refuse_each<Frame>(
      [=](auto& frame) {
        sign_in(frame)->set_pin(std::string(limits::pin_bytes_max, '1'));
        sign_in(frame)->set_badge(std::string(limits::name_length_max, 'F'));
      },
      {[=](auto& frame) { sign_in(frame)->mutable_pin()->push_back('1'); },
       [=](auto& frame) { sign_in(frame)->mutable_badge()->push_back('F'); }});
}

TEST_CASE("decoding refuses a Welcome with incomplete hashes or an invalid refusal") {
  using Frame = wire::ToTable;
  const auto welcome = [](Frame& frame) { return frame.mutable_welcome(); };
  refuse_each<Frame>(
      [=](auto& frame) {
        fill_head(welcome(frame)->mutable_head());
        welcome(frame)->set_refusal(255);
      },
      {[=](auto& frame) { welcome(frame)->mutable_head()->set_hash("short"); },
       [=](auto& frame) { welcome(frame)->set_refusal(256); },
       [=](auto& frame) { welcome(frame)->add_history()->set_hash("short"); },
       [=](auto& frame) { welcome(frame)->mutable_again_after(); },
       [=](auto& frame) {
         for (std::size_t one = 0; one <= limits::reported_restorations_max; ++one) {
           fill_head(welcome(frame)->add_history());
         }
       }});
  refuse_each<Frame>([](auto& frame) { frame.mutable_signed_in()->set_refusal(255); },
                     {[](auto& frame) { frame.mutable_signed_in()->set_refusal(256); },
                      [](auto& frame) { frame.clear_kind(); }});
}

TEST_CASE("decoding refuses acknowledgements with invalid fields") {
  using Frame = wire::ToTable;
  const auto answers = [](Frame& frame) { return frame.mutable_acknowledgements(); };
  const Say<Frame> good = [=](auto& frame) {
    fill_head(answers(frame)->mutable_head());
    answers(frame)->add_acknowledgements()->add_awards()->set_holder(255);
  };
  refuse_each<Frame>(
      good, {[=](auto& frame) { answers(frame)->mutable_head()->set_hash("short"); },
             [=](auto& frame) { answers(frame)->mutable_acknowledgements(0)->set_refusal(256); }});
  refuse_each<Frame>(good, award_mistakes([=](Frame& frame) {
                       return answers(frame)->mutable_acknowledgements(0)->mutable_awards(0);
                     }));
}

TEST_CASE("decoding refuses a heartbeat answer with invalid fields") {
  using Frame = wire::ToTable;
  const auto claim = [](Frame& frame) { return frame.mutable_heartbeat()->mutable_claims(0); };
  refuse_each<Frame>([](auto& frame) { frame.mutable_heartbeat()->add_claims()->set_claim(1); },
                     {[=](auto& frame) { claim(frame)->clear_claim(); },
                      [=](auto& frame) { claim(frame)->set_seat(256); },
                      [=](auto& frame) { claim(frame)->set_amount_cents(too_much); },
                      [=](auto& frame) { claim(frame)->set_amount_cents(-1); }});
  const auto hand = [](Frame& frame) {
    return frame.mutable_heartbeat()->mutable_hands()->mutable_rounds(0)->mutable_hands(0);
  };
  const Say<Frame> good = [=](auto& frame) {
    frame.mutable_heartbeat()->mutable_hands()->add_rounds()->add_hands()->add_awards();
  };
  refuse_each<Frame>(good, {[=](auto& frame) { hand(frame)->set_seat(256); },
                            [=](auto& frame) { hand(frame)->set_cards(no_card); }});
  refuse_each<Frame>(good,
                     award_mistakes([=](Frame& frame) { return hand(frame)->mutable_awards(0); }));
}

TEST_CASE("the number of links in a table's counters is bounded") {
  Heartbeat heartbeat{TableId("T-01")};
  heartbeat.counts = ReportedCounts{MessageNumber(1), MessageNumber(2), {}};
  heartbeat.counts->links.assign(limits::links_per_table_max + 1,
                                 {LinkId("L"), 1, 2, Amount::dollars(3)});
  const auto heard = decode_from_table(encode(heartbeat));
  REQUIRE(heard.has_value());
  heartbeat.counts->links.pop_back();
  CHECK((std::get<Heartbeat>(*heard) == heartbeat));
}

TEST_CASE("an empty frame is not a sign-in") { CHECK_FALSE(may_be_sign_in("")); }

}  // namespace linkmeter::wire_refused_test
