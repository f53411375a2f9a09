#include "controller/told.h"

#include <variant>

namespace linkmeter {

namespace {

// Of one frame: what an honest table says between two answers fits one.
constexpr std::size_t acknowledgements_max = 512;

void tell_awards(const std::vector<Award>& awards, Acknowledgement& acknowledgement) {
  for (const Award& award : awards) {
    if (acknowledgement.awards.size() == told_awards_max) return;
    acknowledgement.awards.push_back(
        {award.seat, award.line, award.amount, award.claim, award.kind});
  }
}

}  // namespace

void tell(const Entry& entry, Acknowledgement& acknowledgement) {
  if (const auto* differed = std::get_if<CountDiffered>(&entry.fact)) {
    acknowledgement.chips_expected = differed->chips_expected;
  } else if (const auto* shown = std::get_if<HandsShown>(&entry.fact)) {
    tell_awards(shown->awards, acknowledgement);
  } else if (const auto* pot = std::get_if<PotPlayed>(&entry.fact)) {
    tell_awards(pot->awards, acknowledgement);
  }
}

std::vector<std::string> frames_of(const Acknowledgements& acknowledgements) {
  std::vector<std::string> frames;
  Acknowledgements part;
  part.head = acknowledgements.head;
  std::size_t awards_count = 0;
  for (const Acknowledgement& one : acknowledgements.list) {
    const bool is_full = part.list.size() == acknowledgements_max ||
                         awards_count + one.awards.size() > told_awards_max;
    if (is_full && !part.list.empty()) {
      frames.push_back(encode(ToTable{part}));
      part.list.clear();
      awards_count = 0;
    }
    part.list.push_back(one);
    awards_count += one.awards.size();
  }
  frames.push_back(encode(ToTable{part}));
  return frames;
}

}  // namespace linkmeter
