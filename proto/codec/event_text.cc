#include "proto/codec/event_text.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <variant>

#include "meters/game/card.h"

namespace linkmeter {

namespace {

// A text as JSON has it, without a semicolon: that parts what is stored of a round.
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
