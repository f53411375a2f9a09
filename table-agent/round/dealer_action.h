// Panel touch: one action of a dealer at the panel of his table (table-agent/panel/README.md), read
// from the JSON of a request. The words are those of the device line, where it has them: both drive
// the same round.
//
// Laws: reading is total and strict: any bytes are a touch or a sentence, and an unknown key is a
// mistake, so that a page of another release cannot half say something. What a touch means, and
// whether it may be, is not asked here.
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

inline constexpr std::size_t touch_id_length_max = 64;

namespace touch {

// A resolve, show, close or void of the round, or a pot.
struct Submit {
  TableCommand command;
  // Of a show with the dealer's hand: seats whose hands are not shown, and the dealer knows that
  // they lose what weighs them against his.
  std::vector<Seat> passed;
  friend bool operator==(const Submit&, const Submit&) = default;
};
// The floor is called, or has come.
struct CallFloor {
  bool calls = false;
  friend bool operator==(const CallFloor&, const CallFloor&) = default;
};

// The dealer goes on with a round that was left open.
struct GoOn {
  friend bool operator==(const GoOn&, const GoOn&) = default;
};

}  // namespace touch

struct DealerAction {
  using Word = std::variant<input::BettingSwitched, input::WagerPlaced, input::WagerRemoved,
                            input::ChipCount, touch::Submit, touch::CallFloor, touch::GoOn>;
  std::string id;  // of the action: said again with the same id it is the same action
  RoundId round;   // the round that the dealer saw; "" where none is needed
  Word word;
  Badge by;  // set by who knows who is signed in
  friend bool operator==(const DealerAction&, const DealerAction&) = default;
};

// What is wrong with a touch, as a sentence.
struct DealerActionError {
  std::string message;
};
// Of {"touch":{...}}, or of {"badge":...,"pin":...,"touch":{...}}, whose other keys are not looked
// at.
std::variant<DealerAction, DealerActionError> parse_dealer_action(std::string_view body);

// "resolve": what a person is told that he did; and sets who does it, in the command too.
std::string_view name(const DealerAction& touch);
void sign(DealerAction& touch, const Badge& by);

}  // namespace linkmeter
