// DealerAction: one action of a dealer at the panel of his table (table-agent/panel/README.md),
// read from the JSON of a request. It uses the words of the device line where they exist: both
// drive the same round.
//
// Laws: reading is total and strict: any bytes give an action or a sentence, and an unknown key is
// a mistake, so that a page of another release cannot submit half an action. This file does not
// check what an action means or whether it is allowed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "meters/facts/table_command.h"
#include "table-agent/round/table_input.h"

namespace linkmeter {

inline constexpr std::size_t action_id_length_max = 64;

namespace touch {

// A resolve, show, close or void of the round, or a pot.
struct Submit {
  TableCommand command;
  // In a show with the dealer's hand: seats whose hands are not shown because the dealer knows that
  // they lose their wagers against his hand.
  std::vector<Seat> passed;
  friend bool operator==(const Submit&, const Submit&) = default;
};
// The floor is called, or has arrived.
struct CallFloor {
  bool calls = false;
  friend bool operator==(const CallFloor&, const CallFloor&) = default;
};

// The dealer continues a round that was left open.
struct GoOn {
  friend bool operator==(const GoOn&, const GoOn&) = default;
};

}  // namespace touch

struct DealerAction {
  using Word = std::variant<input::BettingSwitched, input::WagerPlaced, input::WagerRemoved,
                            input::ChipCount, touch::Submit, touch::CallFloor, touch::GoOn>;
  std::string id;  // a repeat with the same id is the same action
  RoundId round;   // the round that the dealer saw; "" if none is needed
  Word word;
  Badge by;  // the signed-in person; set by the receiver of the request
  friend bool operator==(const DealerAction&, const DealerAction&) = default;
};

// The answer to an action. "": done. Otherwise the reason: the name of a refusal or a reason of the
// device line, and a sentence; "" if panel_words() (panel_driver.h) has the sentence.
struct PanelAnswer {
  std::string why = {};
  std::string words = {};
  friend bool operator==(const PanelAnswer&, const PanelAnswer&) = default;
};

// The mistake in an action, as a sentence.
struct DealerActionError {
  std::string message;
};
// Parses {"touch":{...}}, or {"badge":...,"pin":...,"touch":{...}}. Other keys of the object are
// ignored.
std::variant<DealerAction, DealerActionError> parse_dealer_action(std::string_view body);

// "resolve": the action's name in messages for people.
std::string_view name(const DealerAction& touch);
// Sets the person who acts, in the command too.
void sign(DealerAction& touch, const Badge& by);

}  // namespace linkmeter
