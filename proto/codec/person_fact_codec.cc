#include "proto/codec/person_fact_codec.h"

#include "proto/codec/act_codec.h"
#include "proto/codec/award_codec.h"
#include "proto/codec/parts_codec.h"
#include "proto/journal.pb.h"

namespace linkmeter::parts {

void encode_fact(const ClaimRejected& rejected, journal::Entry& entry) {
  journal::ClaimRejected& fact = *entry.mutable_claim_rejected();
  fact.set_claim(rejected.claim.value());
  fact.set_reason(static_cast<std::uint32_t>(rejected.reason));
  fact.set_note(rejected.note);
  fact.set_restored(rejected.restored);
  fact.set_by(rejected.by.text());
  encode_awards(rejected.envy, fact.mutable_envy());
  encode_awards(rejected.reversed, fact.mutable_reversed());
  if (rejected.calls != CallReversal{}) encode_reversal(rejected.calls, *fact.mutable_calls());
}
void encode_fact(const LinkSuspended& suspended, journal::Entry& entry) {
  journal::LinkSuspended& fact = *entry.mutable_link_suspended();
  fact.set_link(suspended.link.value());
  fact.set_note(suspended.note);
  fact.set_by(suspended.by.text());
}
void encode_fact(const TableFrozen& frozen, journal::Entry& entry) {
  journal::TableFrozen& fact = *entry.mutable_table_frozen();
  fact.set_table(frozen.table.value());
  fact.set_note(frozen.note);
  fact.set_by(frozen.by.text());
}
void encode_fact(const NoticePosted& notice, journal::Entry& entry) {
  journal::NoticePosted& fact = *entry.mutable_notice_posted();
  fact.set_link(notice.link.value());
  fact.set_posted(notice.posted);
  fact.set_by(notice.by.text());
}
void encode_fact(const PinChanged& changed, journal::Entry& entry) {
  entry.mutable_pin_changed()->set_by(changed.by.text());
  entry.mutable_pin_changed()->set_pin(changed.pin);
  entry.mutable_pin_changed()->set_old_pin(changed.old_pin);
}
void encode_fact(const SignedIn& signed_in, journal::Entry& entry) {
  entry.mutable_signed_in()->set_badge(signed_in.badge.text());
}
void encode_fact(const SignInFailed& failed, journal::Entry& entry) {
  journal::SignInFailed& fact = *entry.mutable_sign_in_failed();
  fact.set_badge(failed.badge.text());
  if (failed.locked_until) fact.set_locked_until_us(failed.locked_until->microseconds());
}
void encode_fact(const Recovered& recovered, journal::Entry& entry) {
  journal::Recovered& fact = *entry.mutable_recovered();
  fact.set_badge(recovered.badge.text());
  fact.set_pin(recovered.pin);
  for (const std::uint32_t code : recovered.codes) fact.add_codes(code);
}
void encode_fact(const RecoveryFailed& failed, journal::Entry& entry) {
  entry.mutable_recovery_failed()->set_badge(failed.badge.text());
  entry.mutable_recovery_failed()->set_wait_until_us(failed.wait_until.microseconds());
}
void encode_fact(const PinsTried& counted, journal::Entry& entry) {
  journal::PinsTried& fact = *entry.mutable_pins_tried();
  for (const PinsTried::Tries& one : counted.tries) {
    journal::PinTries& tries = *fact.add_tries();
    tries.set_badge(one.badge.text());
    tries.set_count(one.count);
  }
}
void encode_fact(const ActProposed& proposed, journal::Entry& entry) {
  journal::ActProposed& fact = *entry.mutable_act_proposed();
  fact.set_proposal(proposed.proposal.value());
  encode_act(proposed.act, *fact.mutable_act());
  fact.set_by(proposed.by.text());
}
void encode_fact(const ActConfirmed& confirmed, journal::Entry& entry) {
  journal::ActConfirmed& fact = *entry.mutable_act_confirmed();
  fact.set_proposal(confirmed.proposal.value());
  encode_act(confirmed.act, *fact.mutable_act());
  fact.set_proposed_by(confirmed.proposed_by.text());
  fact.set_by(confirmed.by.text());
}
void encode_fact(const CommandRejected& no, journal::Entry& entry) {
  journal::ActRefused& fact = *entry.mutable_act_refused();
  fact.set_act(no.act);
  fact.set_refusal(static_cast<std::uint32_t>(no.refusal));
  fact.set_by(no.by.text());
  fact.set_about(no.about);
}

namespace {

std::optional<Fact> decode_fact(const journal::ClaimRejected& message) {
  const auto reason = decode_numbered(message.reason(), RejectReason::game_protection);
  if (!reason) return std::nullopt;
  ClaimRejected rejected{ClaimNumber(message.claim()),
                         *reason,
                         message.note(),
                         message.restored(),
                         Badge(message.by()),
                         decode_reversal(message.calls())};
  if (!decode_awards(message.envy(), rejected.envy) ||
      !decode_awards(message.reversed(), rejected.reversed)) {
    return std::nullopt;
  }
  return rejected;
}

std::optional<Fact> decode_fact(const journal::ActProposed& message) {
  auto act = decode_act(message.act());
  if (!act) return std::nullopt;
  return ActProposed{ProposalNumber(message.proposal()), std::move(*act), Badge(message.by())};
}

std::optional<Fact> decode_fact(const journal::ActConfirmed& message) {
  auto act = decode_act(message.act());
  if (!act) return std::nullopt;
  return ActConfirmed{ProposalNumber(message.proposal()), std::move(*act),
                      Badge(message.proposed_by()), Badge(message.by())};
}

std::optional<Fact> decode_fact(const journal::SignInFailed& message) {
  SignInFailed fact{Badge(message.badge())};
  if (message.has_locked_until_us()) {
    fact.locked_until = Timestamp::from_microseconds(message.locked_until_us());
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::PinsTried& message) {
  PinsTried fact;
  for (const journal::PinTries& one : message.tries()) {
    fact.tries.push_back({Badge(one.badge()), one.count()});
  }
  return fact;
}

std::optional<Fact> decode_fact(const journal::ActRefused& message) {
  const auto number = decode_integer<std::uint8_t>(message.refusal());
  if (!number) return std::nullopt;
  return CommandRejected{message.act(), static_cast<Refusal>(*number), Badge(message.by()),
                         message.about()};
}

}  // namespace

std::optional<Fact> decode_person_fact(const journal::Entry& message) {
  switch (message.fact_case()) {
    case journal::Entry::kClaimRejected: return decode_fact(message.claim_rejected());
    case journal::Entry::kLinkSuspended:
      return LinkSuspended{LinkIndex(message.link_suspended().link()),
                           message.link_suspended().note(), Badge(message.link_suspended().by())};
    case journal::Entry::kTableFrozen:
      return TableFrozen{TableIndex(message.table_frozen().table()), message.table_frozen().note(),
                         Badge(message.table_frozen().by())};
    case journal::Entry::kNoticePosted:
      return NoticePosted{LinkIndex(message.notice_posted().link()),
                          message.notice_posted().posted(), Badge(message.notice_posted().by())};
    case journal::Entry::kPinChanged:
      return PinChanged{Badge(message.pin_changed().by()), message.pin_changed().pin(),
                        message.pin_changed().old_pin()};
    case journal::Entry::kSignedIn: return SignedIn{Badge(message.signed_in().badge())};
    case journal::Entry::kSignInFailed: return decode_fact(message.sign_in_failed());
    case journal::Entry::kRecovered: {
      const journal::Recovered& recovered = message.recovered();
      return Recovered{Badge(recovered.badge()),
                       recovered.pin(),
                       {recovered.codes().begin(), recovered.codes().end()}};
    }
    case journal::Entry::kRecoveryFailed:
      return RecoveryFailed{
          Badge(message.recovery_failed().badge()),
          Timestamp::from_microseconds(message.recovery_failed().wait_until_us())};
    case journal::Entry::kPinsTried: return decode_fact(message.pins_tried());
    case journal::Entry::kActProposed: return decode_fact(message.act_proposed());
    case journal::Entry::kActConfirmed: return decode_fact(message.act_confirmed());
    case journal::Entry::kActRefused: return decode_fact(message.act_refused());
    default: return std::nullopt;
  }
}

}  // namespace linkmeter::parts
