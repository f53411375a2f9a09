#include "table-agent/simulator/deal_driver.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "meters/values/invariant.h"
#include "meters/values/text.h"
#include "proto/host/fault.h"
#include "table-agent/link/word_reader.h"
#include "table-agent/simulator/blackjack_deal.h"
#include "table-agent/simulator/holdem_deal.h"
#include "table-agent/simulator/stud_deal.h"

namespace linkmeter {

namespace {

constexpr std::size_t round_digits = 6;

RoundId round_name(std::uint64_t seed, std::uint64_t round) {
  return RoundId("d" + std::to_string(seed) + "-" +
                 padded(static_cast<std::int64_t>(round), round_digits));
}

// A position "K J" in exactly this form.
struct Place {
  std::uint64_t round = 0;
  std::size_t step = 0;
};
std::optional<Place> parse_deal_place(std::string_view text) {
  WordReader in(text);
  const Place place{in.number(), in.number()};
  if (in.end() || place.round == 0) return std::nullopt;
  return place;
}

}  // namespace

std::string DealDriver::name(std::uint64_t seed) { return "deal/" + std::to_string(seed); }

DealDriver::DealDriver(TableOffers table, const Plan& plan, std::string_view place,
                       BonusDraw drawing)
    : table_(std::move(table)), plan_(plan), drawing_(std::move(drawing)) {
  if (place.empty()) return;
  const std::optional<Place> parsed = parse_deal_place(place);
  if (!parsed) {
    throw Fault("outbox: \"" + std::string(place) + "\" is not a place of " + name(plan.seed));
  }
  round_ = parsed->round;
  if (parsed->step == 0) return;
  commands_ = deal(round_);
  if (parsed->step >= commands_.size()) {
    throw Fault("outbox: round " + std::to_string(round_) + " of " + name(plan.seed) +
                " has no step " + std::to_string(parsed->step));
  }
  step_ = parsed->step;
}

std::vector<TableCommand> DealDriver::deal(std::uint64_t round) const {
  Prng chance = Prng::for_round(plan_.seed, table_.terms.id.text(), round);
  const RoundId id = round_name(plan_.seed, round);
  switch (table_.game.dealing) {
    case Dealing::stud: return deal_stud(table_, id, chance);
    case Dealing::blackjack: return deal_blackjack(table_, id, chance);
    case Dealing::holdem: return deal_holdem(table_, id, chance);
  }
  INVARIANT(false);
  return {};
}

Position DealDriver::position() const {
  return {name(plan_.seed), std::to_string(round_) + " " + std::to_string(step_)};
}

bool DealDriver::is_at_first_show() const {
  return std::holds_alternative<ShowHands>(commands_[step_]) &&
         !(step_ > 0 && std::holds_alternative<ShowHands>(commands_[step_ - 1]));
}

std::optional<Step> DealDriver::next() {
  if (step_ == 0) {
    if (plan_.rounds && begun_count_ == *plan_.rounds) return std::nullopt;
    if (!std::exchange(is_paced_, true)) return Step{Wait{plan_.pace_ms}, position()};
    commands_ = deal(round_);
    ++begun_count_;
  }
  TableCommand command = commands_[step_];
  if (is_at_first_show()) std::get<ShowHands>(command).draw = drawing_.draw();
  ++step_;
  Step step{std::move(command), {}};
  if (step_ == commands_.size()) {
    ++round_;
    step_ = 0;
    is_paced_ = plan_.pace_ms == 0;
  }
  step.position = position();
  return step;
}

}  // namespace linkmeter
