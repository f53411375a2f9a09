#include "controller/turn/ack_details.h"

#include <optional>
#include <utility>
#include <variant>

#include "controller/store/journal_reader.h"
#include "meters/facts/settled.h"
#include "meters/values/limits.h"
#include "proto/codec/journal_codec.h"

namespace linkmeter {

namespace {

// Per frame: what a correct table sends between two replies fits one.
constexpr std::size_t acknowledgements_max = 512;
// Upper bounds with the longest names, so that a frame never exceeds the maximum.
constexpr std::size_t acknowledgement_bytes_max = 48;
constexpr std::size_t award_bytes_max = 240;
constexpr std::size_t reported_bytes_max = limits::message_bytes_max - 1'024;
static_assert(acknowledgement_bytes_max + reported_awards_max * award_bytes_max <=
              reported_bytes_max);

}  // namespace

AwardNotice award_notice(const Award& award, const Floor& floor) {
  AwardNotice notice{award.seat, award.line, award.amount, award.claim, award.kind, award.holder};
  const LinkConfig& link = floor.link(award.link);
  notice.link = link.id;
  if (award.level) notice.level = link.levels[award.level->value()].id;
  notice.on_dealer = award.on_dealer;
  notice.waits_for = award.waits_for;
  return notice;
}

std::vector<AwardNotice> award_notices(const std::vector<Award>& awards, const Floor& floor) {
  std::vector<AwardNotice> notice;
  for (const Award& award : awards) {
    if (notice.size() == reported_awards_max) break;
    notice.push_back(award_notice(award, floor));
  }
  return notice;
}

void add_details(const Entry& entry, const Floor& floor, Acknowledgement& acknowledgement) {
  if (const auto* differed = std::get_if<CountMismatched>(&entry.fact)) {
    acknowledgement.chips_expected = differed->chips_expected;
  } else if (const auto* shown = std::get_if<HandsShown>(&entry.fact)) {
    acknowledgement.awards = award_notices(shown->awards, floor);
  } else if (const auto* pot = std::get_if<PotPlayed>(&entry.fact)) {
    acknowledgement.awards = award_notices(pot->awards, floor);
    const std::optional<PotConfig>& terms = floor.link(pot->link).pot;
    acknowledgement.no_contribution =
        pot->contribution == Amount() && terms && pot->pot >= terms->minimum_pot;
  } else {
    acknowledgement.take_back = award_notices(*settled(entry).reversed, floor);
  }
}

void add_repeat_details(const TableMessage& repeat, const Journal& journal, const Floor& floor,
                        Acknowledgement& again) {
  // A wrong count is reported even if the round has ended since, because the table acts on the
  // reply.
  if (!std::holds_alternative<LockRound>(repeat.command) &&
      !std::holds_alternative<ShowHands>(repeat.command) &&
      !std::holds_alternative<VoidRound>(repeat.command) &&
      !std::holds_alternative<PlayPot>(repeat.command)) {
    return;
  }
  const std::optional<Entry> entry = find_entry(journal, again.entry);
  if (entry) add_details(*entry, floor, again);
}

std::vector<std::string> frames_of(Acknowledgements acknowledgements) {
  std::vector<std::string> frames;
  Acknowledgements part;
  std::size_t awards_count = 0;
  const auto finish_frame = [&] {
    part.head = acknowledgements.head;
    frames.push_back(encode(ToTable{std::exchange(part, {})}));
    awards_count = 0;
  };
  for (Acknowledgement& one : acknowledgements.list) {
    const bool is_full =
        part.list.size() == acknowledgements_max ||
        (part.list.size() + 1) * acknowledgement_bytes_max +
                (awards_count + one.awards.size() + one.take_back.size()) * award_bytes_max >
            reported_bytes_max;
    if (is_full && !part.list.empty()) finish_frame();
    awards_count += one.awards.size() + one.take_back.size();
    part.list.push_back(std::move(one));
  }
  finish_frame();
  return frames;
}

}  // namespace linkmeter
