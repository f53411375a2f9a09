#include "table-agent/panel/panel_actions.h"

#include <algorithm>
#include <array>
#include <utility>

#include "meters/values/refusal.h"
#include "table-agent/panel/panel_driver.h"
#include "table-agent/round/round_rules.h"

namespace linkmeter {

namespace {

using Betting = RoundMachine::Betting;
using Phase = RoundRecord::Phase;

PanelAnswer lockout_of(const PanelState& scene) {
  if (scene.machine == nullptr) return {};
  const std::string_view why = scene.machine->lockout();
  return {std::string(why), {}};
}

bool round_is_on(const PanelState& scene) {
  return scene.round.number > 0 && scene.round.phase != Phase::over;
}

PanelAnswer no_round(const PanelState& scene) {
  if (scene.betting == Betting::counting) return {"not_counted", "count the chips first"};
  if (scene.betting == Betting::open) return {"bets_open", "no more bets comes first"};
  return {"no_round", "no round is on"};
}

PanelAnswer of(Refusal refusal) {
  return refusal == Refusal::none ? PanelAnswer{} : PanelAnswer{std::string(name(refusal)), {}};
}

template <class Command>
PanelAnswer about_round(const PanelState& scene) {
  if (!round_is_on(scene) || scene.betting != Betting::none) return no_round(scene);
  const bool lock_is_answered =
      scene.machine == nullptr || !scene.machine->unanswered().has<LockRound>();
  if (scene.round.phase == Phase::ending) {
    return {"ending", "the end of this round is on its way to the controller"};
  }
  return of(scene.round.refusal_now(Command(), lock_is_answered));
}

bool shows_hands(Phase phase) { return phase == Phase::submitted || phase == Phase::counted; }

PanelAnswer open_bets(const PanelState& scene) {
  if (scene.betting == Betting::open) return {"bets_open", "betting is open"};
  if (scene.betting == Betting::counting || round_is_on(scene)) return {"round_open", {}};
  if (PanelAnswer why = lockout_of(scene); !why.why.empty()) return why;
  if (!scene.sensors.are_there) return {"device_gone", {}};
  return {};
}

PanelAnswer close_bets(const PanelState& scene) {
  if (scene.betting == Betting::open) return {};
  if (scene.betting == Betting::counting) return {"bets_closed", "betting is closed: count"};
  if (round_is_on(scene)) return {"round_open", "this round is locked already"};
  return {"not_open", {}};
}

PanelAnswer place(const PanelState& scene) {
  if (scene.sensors.there_are) return {"sensors_tell", {}};
  return scene.betting == Betting::open ? PanelAnswer{} : PanelAnswer{"locked", {}};
}

PanelAnswer count(const PanelState& scene) {
  if (scene.is_cut_off()) return {"state_unknown", {}};
  if (scene.betting == Betting::counting) return {};
  if (round_is_on(scene)) return {"counted", "the chips of this round were counted"};
  return {"not_closed", {}};
}

PanelAnswer closed(const PanelState& scene) {
  PanelAnswer why = about_round<CloseRound>(scene);
  if (why.why.empty() && dealer_is_to_show(scene)) return of(Refusal::dealer_hand_missing);
  return why;
}

// The controller knows which claims prevent a void: a claim of one hand does not prevent the void
// of another hand.
PanelAnswer voided(const PanelState& scene) {
  if (scene.is_cut_off()) return {};
  return about_round<VoidRound>(scene);
}

PanelAnswer go_on(const PanelState& scene) {
  return scene.asks_about_left_open_round() ? PanelAnswer{} : PanelAnswer{"not_left_open", {}};
}

PanelAnswer pot(const PanelState& scene) {
  if (!scene.table.pot) return of(Refusal::wrong_game);
  if (round_is_on(scene)) return {"round_open", "the last pot is on its way to the controller"};
  return lockout_of(scene);
}

// The mode of a table whose hands are pots.
PanelMode mode_of_pots(const PanelState& scene) {
  if (round_is_on(scene)) return {"waiting", "The pot is on its way to the controller."};
  if (const PanelAnswer why = lockout_of(scene); !why.why.empty()) {
    return {"locked", "No pot contributes: " + panel_words(why.why) + ". The game itself goes on."};
  }
  if (scene.only_shows()) return {"idle", "This table plays by itself: its panel only shows."};
  return {"pot", "When a hand is over: its pot, its board, and who held what."};
}

}  // namespace

std::vector<AllowedAction> allowed_actions(const PanelState& scene) {
  const std::array<std::pair<std::string_view, PanelAnswer>, 11> all{{
      {"go_on", go_on(scene)},
      {"open_bets", open_bets(scene)},
      {"place", place(scene)},
      {"remove", place(scene)},
      {"close_bets", close_bets(scene)},
      {"count", count(scene)},
      {"resolve", about_round<ResolveCount>(scene)},
      {"show", about_round<ShowHands>(scene)},
      {"close", closed(scene)},
      {"void", voided(scene)},
      {"pot", pot(scene)},
  }};
  std::vector<AllowedAction> list;
  for (const auto& [action, reason] : all) {
    const bool is_other_game = scene.table.pot && action != "pot";
    const PanelAnswer why = is_other_game ? of(Refusal::wrong_game) : reason;
    AllowedAction doing{action, scene.only_shows() ? "read_only" : why.why, why.words};
    if (scene.only_shows()) doing.words.clear();
    if (!doing.why.empty() && doing.words.empty()) doing.words = panel_words(doing.why);
    list.push_back(std::move(doing));
  }
  list.push_back({"call_floor", "", ""});
  return list;
}

std::vector<Seat> seats_to_show(const PanelState& scene) {
  std::vector<Seat> seats;
  const Phase phase = scene.round.phase;
  if (!shows_hands(phase)) return seats;
  for (std::uint8_t number = scene.table.terms.seats; number > 0; --number) {
    const Seat seat(number);
    if (need_of(scene.table, scene.round.wagers, seat).own_hand &&
        scene.round.hand_of(seat) == nullptr) {
      seats.push_back(seat);
    }
  }
  return seats;
}

bool dealer_is_to_show(const PanelState& scene) {
  const Phase phase = scene.round.phase;
  if (!shows_hands(phase)) return false;
  return waits_for_dealer(scene.table, scene.round);
}

// The hand of a seat without a bet can bring envy to the bettors, if the house offers that.
bool others_may_bring_envy(const PanelState& scene) {
  const auto& wagers = scene.round.wagers;
  const bool is_envied = std::any_of(wagers.begin(), wagers.end(), [&](const AskedWager& wager) {
    const Offer& offer = scene.table.offer(wager.wager);
    return offer.rules.envy_of_non_bettors && offer.may_receive_envy(wager.amount);
  });
  if (!is_envied) return false;
  for (std::uint8_t number = 1; number <= scene.table.terms.seats; ++number) {
    if (!scene.round.has_wager(Seat(number)) && scene.round.hand_of(Seat(number)) == nullptr) {
      return true;
    }
  }
  return false;
}

PanelMode mode_of(const PanelState& scene) {
  if (scene.table.pot) return mode_of_pots(scene);
  const RoundRecord& round = scene.round;
  if (scene.asks_about_left_open_round()) {
    return {"left_open",
            "This round was open when the table's computer was replaced or its memory was lost. "
            "Go on with it, or void it."};
  }
  if (round_is_on(scene)) {
    switch (round.phase) {
      case Phase::submitted: return {"waiting", "The wagers are on their way to the controller."};
      case Phase::blocked:
        return {"blocked",
                "The count differs. Do not deal: a floorperson resolves it, or the round "
                "is void."};
      case Phase::refused:
        return {"refused",
                "The controller refused this round: no wager of it counts. Give the "
                "wagers back and close it."};
      case Phase::ending: return {"ending", "The end of the round is on its way."};
      default: break;
    }
    if (!seats_to_show(scene).empty()) {
      return {"round", "Show the hands, from your right. The seats that are left are marked."};
    }
    if (dealer_is_to_show(scene)) return {"round", "Show your own hand."};
    if (others_may_bring_envy(scene)) {
      return {"round",
              "Every bettor's hand is shown. A seat without a wager may still bring the others "
              "envy: show such a hand. Then pay what is owed, and close the round."};
    }
    return {"round", "Every hand that matters is shown. Pay what is owed, then close the round."};
  }
  if (scene.betting == Betting::open) {
    return {"open", scene.sensors.there_are ? "Betting is open: the sensors take wagers."
                                            : "Betting is open: mark each wager that you accept."};
  }
  if (scene.is_cut_off()) {
    return {"counting",
            "The sensors do not answer, so no wager can be counted. Wait for them, or void: the "
            "wagers go back, and the game itself goes on."};
  }
  if (scene.betting == Betting::counting) {
    return {"counting", "No more bets. Collect and count the progressive chips."};
  }
  if (const PanelAnswer why = lockout_of(scene); !why.why.empty()) {
    return {"locked",
            "No progressive wagers: " + (why.words.empty() ? panel_words(why.why) : why.words) +
                ". The game itself goes on."};
  }
  if (scene.only_shows()) return {"idle", "This table plays by itself: its panel only shows."};
  if (!scene.sensors.are_there) {
    return {"idle",
            "The table's sensors do not answer: no progressive wagers. The game itself goes on."};
  }
  return {"idle", "Open the bets to begin a round."};
}

}  // namespace linkmeter
