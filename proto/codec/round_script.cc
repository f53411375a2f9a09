#include "proto/codec/round_script.h"

#include <array>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "meters/game/card.h"
#include "meters/values/limits.h"

namespace linkmeter {

namespace {

using Json = nlohmann::json;

// Reads a JSON object strictly. The first error is kept and the following reads are ignored, so the
// callers need not check after every step.
class Object {
 public:
  Object(const Json& json, std::string name, std::string& error)
      : json_(json), name_(std::move(name)), error_(error) {
    if (!json_.is_object()) refuse("must be an object");
  }

  // Rejects every key except these, "by" and "note".
  void allow(std::initializer_list<std::string_view> keys) {
    if (!error_.empty()) return;
    for (const auto& [key, value] : json_.items()) {
      if (key == "by" || key == "note") continue;
      bool known = false;
      for (const std::string_view candidate : keys) known = known || key == candidate;
      if (!known) return refuse("does not take the key \"" + key + "\"");
    }
  }

  const Json* find(std::string_view key, bool required) {
    if (!error_.empty()) return nullptr;
    const auto found = json_.find(key);
    if (found != json_.end()) return &*found;
    if (required) refuse("lacks the key \"" + std::string(key) + "\"");
    return nullptr;
  }

  std::string text(std::string_view key, bool required) {
    const Json* const value = find(key, required);
    if (value == nullptr) return {};
    if (!value->is_string()) return refuse_key(key, "must be a text"), std::string();
    return value->get<std::string>();
  }

  bool boolean(std::string_view key, bool required) {
    const Json* const value = find(key, required);
    if (value == nullptr) return false;
    if (!value->is_boolean()) return refuse_key(key, "must be true or false"), false;
    return value->get<bool>();
  }

  std::uint32_t milliseconds(std::string_view key) {
    const Json* const value = find(key, true);
    if (value == nullptr) return 0;
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > largest) {
      refuse_key(key, "must be a whole number, 0 to " + std::to_string(largest));
      return 0;
    }
    return static_cast<std::uint32_t>(value->get<std::uint64_t>());
  }

  // Any whole number, clamped to Integer: the controller refuses a seat that does not exist.
  template <class Integer>
  std::optional<Integer> nearest(std::string_view key, bool required) {
    const Json* const value = find(key, required);
    if (value == nullptr) return std::nullopt;
    // The library stores numbers of more than 64 bits as floating point. So large a number is
    // whole.
    const bool is_whole =
        value->is_number_integer() ||
        (value->is_number() && (*value <= Json(std::numeric_limits<std::int64_t>::min()) ||
                                *value >= Json(std::numeric_limits<std::uint64_t>::max())));
    if (!is_whole) {
      refuse_key(key, "must be a whole number");
      return std::nullopt;
    }
    constexpr std::uint64_t largest = std::numeric_limits<Integer>::max();
    if (*value < Json(std::uint64_t{0})) return Integer{0};
    if (*value > Json(largest)) return std::numeric_limits<Integer>::max();
    return static_cast<Integer>(value->get<std::uint64_t>());
  }

  Seat seat() { return Seat(nearest<std::uint8_t>("seat", true).value_or(0)); }

  // 0 is a valid position, so numbers below it become the other end of the range.
  std::optional<Seat> drawn_seat() {
    const auto number = nearest<std::uint8_t>("seat", false);
    if (!number) return std::nullopt;
    const bool is_below = json_["seat"] < Json(0);
    return Seat(is_below ? std::numeric_limits<std::uint8_t>::max() : *number);
  }

  // Kept exactly; the controller decides whether it is valid.
  Amount amount(std::string_view key, bool required) {
    const std::string value = text(key, required);
    if (!error_.empty() || !json_.contains(key)) return {};
    const std::optional<Amount> amount = parse_exact(value);
    if (!amount) {
      refuse_key(key,
                 "must be dollars with at most eight decimals, within 92 billion, as "
                 "\"5.00\"; it is \"" +
                     value + "\"");
    }
    return amount.value_or(Amount());
  }

  // An amount that the message holds in whole cents.
  Amount cents(std::string_view key, bool required) {
    const Amount amount = this->amount(key, required);
    if (amount.is_whole_cents() && amount <= limits::lifetime_max &&
        amount >= -limits::lifetime_max) {
      return amount;
    }
    refuse_key(key, "must be whole cents, at most " + text_cents(limits::lifetime_max) +
                        " dollars; it is \"" + text(key, required) + "\"");
    return {};
  }

  // Calls `read` with every element of an array and its name.
  template <class Read>
  void each(std::string_view key, bool required, Read read) {
    const Json* const value = find(key, required);
    if (value == nullptr) return;
    if (!value->is_array()) return refuse_key(key, "must be an array");
    for (std::size_t index = 0; index < value->size() && error_.empty(); ++index) {
      read((*value)[index], std::string(key) + "[" + std::to_string(index) + "]");
    }
  }

  std::vector<Card> cards(std::string_view key) {
    std::vector<Card> cards;
    each(key, false, [&](const Json& element, const std::string& name) {
      if (const std::optional<Card> card = read_card(element, name)) cards.push_back(*card);
    });
    return cards;
  }

  std::optional<Card> card(std::string_view key) {
    const Json* const value = find(key, false);
    return value == nullptr ? std::nullopt : read_card(*value, key);
  }

  void refuse_key(std::string_view key, const std::string& message) {
    refuse("has a bad \"" + std::string(key) + "\": it " + message);
  }

 private:
  std::optional<Card> read_card(const Json& value, std::string_view key) {
    const auto card = value.is_string() ? parse_card(value.get<std::string>()) : std::nullopt;
    if (!card) refuse_key(key, "must be a card, as \"As\" or \"Td\"");
    return card;
  }

  void refuse(const std::string& message) {
    if (error_.empty()) error_ = name_ + " " + message;
  }

  const Json& json_;
  std::string name_;
  std::string& error_;
};

Badge by(Object& event) { return Badge(event.text("by", false)); }

RoundId round_of(Object& event) { return RoundId(event.text("round", true)); }

std::vector<AskedWager> read_wagers(Object& event, std::string& error) {
  std::vector<AskedWager> wagers;
  event.each("wagers", true, [&](const Json& element, const std::string& name) {
    Object object(element, name, error);
    object.allow({"seat", "wager", "amount", "on"});
    AskedWager wager;
    wager.seat = object.seat();
    wager.wager = WagerId(object.text("wager", true));
    wager.amount = object.amount("amount", true);
    const bool names_hand = object.find("on", false) != nullptr;
    const std::string on = object.text("on", false);
    if (names_hand && on != "player" && on != "dealer") {
      object.refuse_key("on", R"(must be "player" or "dealer")");
    }
    wager.on_dealer = on == "dealer";
    wagers.push_back(std::move(wager));
  });
  return wagers;
}

std::optional<Draw> read_draw(Object& event, std::string& error) {
  const Json* const value = event.find("draw", false);
  if (value == nullptr) return std::nullopt;
  Object object(*value, "draw", error);
  object.allow({"magic", "seat"});
  const Draw draw{object.card("magic"), object.drawn_seat()};
  if (!draw.magic && !draw.seat) {
    event.refuse_key("draw", R"(must have a card, "magic", or a position, "seat", or both)");
  }
  return draw;
}

enum class HandsOf : std::uint8_t { show, pot };

std::vector<ShownHand> read_hands(Object& event, HandsOf source, std::string& error) {
  std::vector<ShownHand> hands;
  event.each("hands", source == HandsOf::pot, [&](const Json& element, const std::string& name) {
    Object object(element, name, error);
    if (source == HandsOf::pot) {
      object.allow({"seat", "cards", "folded", "won"});
    } else {
      object.allow({"seat", "cards", "folded", "line"});
    }
    ShownHand hand;
    if (source == HandsOf::show && object.find("line", false) != nullptr) {
      hand.keyed = LineId(object.text("line", true));
    }
    hand.seat = object.seat();
    hand.folded = object.boolean("folded", false);
    hand.cards = object.cards("cards");
    hand.won = object.cents("won", false);
    hands.push_back(std::move(hand));
  });
  return hands;
}

ScriptEvent read_lock(Object& event, std::string& error) {
  event.allow({"event", "round", "wagers", "chips"});
  LockRound lock;
  lock.round = round_of(event);
  lock.wagers = read_wagers(event, error);
  lock.chips = event.nearest<std::uint32_t>("chips", false);
  lock.by = by(event);
  return TableCommand(std::move(lock));
}

ScriptEvent read_resolve(Object& event, std::string& error) {
  event.allow({"event", "round", "wagers"});
  ResolveCount resolve;
  resolve.round = round_of(event);
  resolve.wagers = read_wagers(event, error);
  resolve.by = by(event);
  return TableCommand(std::move(resolve));
}

ScriptEvent read_show(Object& event, std::string& error) {
  event.allow({"event", "round", "hands", "dealer", "board", "draw"});
  ShowHands show;
  show.round = round_of(event);
  show.hands = read_hands(event, HandsOf::show, error);
  show.dealer = event.cards("dealer");
  show.names_dealer = event.find("dealer", false) != nullptr;
  show.board = event.cards("board");
  show.draw = read_draw(event, error);
  show.by = by(event);
  return TableCommand(std::move(show));
}

ScriptEvent read_close(Object& event, std::string&) {
  event.allow({"event", "round"});
  CloseRound close;
  close.round = round_of(event);
  close.by = by(event);
  return TableCommand(std::move(close));
}

ScriptEvent read_void(Object& event, std::string&) {
  event.allow({"event", "round", "reason", "seat"});
  VoidRound voided;
  voided.round = round_of(event);
  voided.reason = event.text("reason", true);
  voided.by = by(event);
  if (event.find("seat", false) != nullptr) voided.seat = event.seat();
  return TableCommand(std::move(voided));
}

ScriptEvent read_pot(Object& event, std::string& error) {
  event.allow({"event", "round", "pot", "board", "showdown", "hands"});
  PlayPot pot;
  pot.round = round_of(event);
  pot.pot = event.cents("pot", true);
  pot.board = event.cards("board");
  pot.showdown = event.boolean("showdown", true);
  pot.hands = read_hands(event, HandsOf::pot, error);
  pot.by = by(event);
  return TableCommand(std::move(pot));
}

ScriptEvent read_wait(Object& event, std::string&) {
  event.allow({"event", "ms"});
  return Wait{event.milliseconds("ms")};
}

using Reader = ScriptEvent (*)(Object&, std::string&);
constexpr std::array<std::pair<std::string_view, Reader>, 7> readers{{
    {"lock", read_lock},
    {"resolve", read_resolve},
    {"show", read_show},
    {"close", read_close},
    {"void", read_void},
    {"pot", read_pot},
    {"wait", read_wait},
}};

// Of two equal keys the library silently keeps the last; here the second one is an error.
struct Document {
  Json json;
  std::string repeated_key;
};

Document parse_document(std::string_view line) {
  Document document;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      document.repeated_key = value.get<std::string>();
    }
    return true;
  };
  document.json = Json::parse(line, watch, /*allow_exceptions=*/false);
  return document;
}

}  // namespace

std::variant<ScriptEvent, ScriptError> parse_script_line(std::string_view line) {
  const Document document = parse_document(line);
  if (document.json.is_discarded()) return ScriptError{"the line is not JSON"};
  if (!document.repeated_key.empty()) {
    return ScriptError{"the key \"" + document.repeated_key + "\" stands twice in one object"};
  }
  std::string error;
  Object event(document.json, "the event", error);
  const std::string name = event.text("event", true);
  if (!error.empty()) return ScriptError{error};
  for (const auto& [known, read] : readers) {
    if (name != known) continue;
    ScriptEvent result = read(event, error);
    if (!error.empty()) return ScriptError{error};
    return result;
  }
  return ScriptError{"the event \"" + name +
                     "\" is not known; known are lock, resolve, show, close, void, pot and wait"};
}

namespace {

// A JSON string without a semicolon, because a semicolon separates the parts of a stored round.
std::string quoted(const std::string& text) {
  std::string told =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  constexpr std::string_view escaped = "\\u003b";
  for (std::size_t at = told.find(';'); at != std::string::npos;
       at = told.find(';', at + escaped.size())) {
    told.replace(at, 1, escaped);
  }
  return told;
}

std::string begin(const char* event, const RoundId& round) {
  return R"({"event":")" + std::string(event) + R"(","round":)" + quoted(round.text());
}

template <class List, class Write>
std::string listed(const List& list, const Write& write) {
  std::string text = "[";
  for (const auto& one : list) text += (text.size() > 1 ? "," : "") + write(one);
  return text + "]";
}

std::string cards_text(const std::vector<Card>& cards) {
  return listed(cards, [](Card card) { return quoted(text(card)); });
}

std::string wagers_text(const std::vector<AskedWager>& wagers) {
  return listed(wagers, [](const AskedWager& wager) {
    return R"({"seat":)" + std::to_string(wager.seat.value()) + R"(,"wager":)" +
           quoted(wager.wager.text()) + R"(,"amount":)" + quoted(text_cents(wager.amount)) +
           (wager.on_dealer ? R"(,"on":"dealer"})" : "}");
  });
}

std::string hands_text(const std::vector<ShownHand>& hands, bool of_pot) {
  return listed(hands, [of_pot](const ShownHand& hand) {
    std::string told = R"({"seat":)" + std::to_string(hand.seat.value()) + R"(,"cards":)" +
                       cards_text(hand.cards) + R"(,"folded":)" + (hand.folded ? "true" : "false");
    if (!of_pot && hand.keyed) told += R"(,"line":)" + quoted(hand.keyed->text());
    if (of_pot) told += R"(,"won":)" + quoted(text_cents(hand.won));
    return told + "}";
  });
}

std::string by_text(const Badge& by) {
  return (by.empty() ? "" : R"(,"by":)" + quoted(by.text())) + "}";
}

struct Write {
  std::string operator()(const LockRound& lock) const {
    return begin("lock", lock.round) + R"(,"wagers":)" + wagers_text(lock.wagers) +
           (lock.chips ? R"(,"chips":)" + std::to_string(*lock.chips) : "") + by_text(lock.by);
  }
  std::string operator()(const ResolveCount& resolve) const {
    return begin("resolve", resolve.round) + R"(,"wagers":)" + wagers_text(resolve.wagers) +
           by_text(resolve.by);
  }
  std::string operator()(const ShowHands& show) const {
    std::string told = begin("show", show.round) + R"(,"hands":)" + hands_text(show.hands, false);
    if (show.names_dealer) told += R"(,"dealer":)" + cards_text(show.dealer);
    if (!show.board.empty()) told += R"(,"board":)" + cards_text(show.board);
    if (show.draw) {
      std::string draw;
      if (show.draw->magic) draw = R"("magic":)" + quoted(text(*show.draw->magic));
      if (show.draw->seat) {
        draw += (draw.empty() ? "" : ",");
        draw += R"("seat":)" + std::to_string(show.draw->seat->value());
      }
      told += R"(,"draw":{)" + draw + "}";
    }
    return told + by_text(show.by);
  }
  std::string operator()(const CloseRound& close) const {
    return begin("close", close.round) + by_text(close.by);
  }
  std::string operator()(const VoidRound& voided) const {
    return begin("void", voided.round) +
           (voided.seat ? R"(,"seat":)" + std::to_string(voided.seat->value()) : "") +
           R"(,"reason":)" + quoted(voided.reason) + by_text(voided.by);
  }
  std::string operator()(const PlayPot& pot) const {
    return begin("pot", pot.round) + R"(,"pot":)" + quoted(text_cents(pot.pot)) + R"(,"board":)" +
           cards_text(pot.board) + R"(,"showdown":)" + (pot.showdown ? "true" : "false") +
           R"(,"hands":)" + hands_text(pot.hands, true) + by_text(pot.by);
  }
};

}  // namespace

std::string_view event_name(const TableCommand& command) {
  constexpr std::array<std::string_view, 6> names = {"lock",  "resolve", "show",
                                                     "close", "void",    "pot"};
  return names[command.index()];
}

const RoundId& round_of(const TableCommand& command) {
  return std::visit([](const auto& said) -> const RoundId& { return said.round; }, command);
}

std::string event_text(const TableCommand& command) { return std::visit(Write(), command); }

}  // namespace linkmeter
