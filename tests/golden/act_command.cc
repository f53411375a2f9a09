#include "tests/golden/act_command.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "tests/support/keys.h"
#include "tests/support/staff.h"

namespace linkmeter {
namespace {

constexpr std::array<std::string_view, 12> verbs{"validate",   "pay",     "reject",  "suspend",
                                                 "pin",        "propose", "confirm", "countersign",
                                                 "issue_slip", "void",    "notice",  "correct"};

// Takes a line apart, word by word.
class Words {
 public:
  explicit Words(const std::string& line) : stream_(line) {}

  std::string next() {
    std::string word;
    if (!(stream_ >> word)) throw std::runtime_error("a word is missing");
    return word;
  }
  bool has_more() { return (stream_ >> std::ws).peek() != std::char_traits<char>::eof(); }
  void literal(std::string_view word) {
    const std::string found = next();
    if (found != word) {
      throw std::runtime_error("\"" + std::string(word) + "\" stands for \"" + found + "\"");
    }
  }
  std::uint64_t number() { return std::stoull(next()); }
  std::string rest() {
    std::string text;
    std::getline(stream_ >> std::ws, text);
    return text;
  }
  Badge by() {
    literal("by");
    return Badge(next());
  }
  std::string note() {
    if (!has_more()) return "";
    literal("note");
    return rest();
  }
  template <class Value>
  Value reason(std::optional<Value> (*parse)(std::string_view)) {
    literal("for");
    return known(parse(next()));
  }
  template <class Value>
  static Value known(std::optional<Value> value) {
    if (!value) throw std::runtime_error("that word is not known here");
    return *value;
  }
  // "-12.50": dollars and cents.
  Amount amount() {
    std::string text = next();
    const bool down = text.starts_with('-');
    const Amount amount = known(parse_cents(down ? text.substr(1) : text));
    return down ? -amount : amount;
  }
  std::set<Role> roles() {
    std::set<Role> all;
    std::istringstream list(next());
    for (std::string one; std::getline(list, one, ',');) all.insert(known(parse_role(one)));
    return all;
  }

 private:
  std::istringstream stream_;
};

DualControlCommand parse_dual_act(Words& words) {
  const std::string what = words.next();
  if (what == "resume-all") return ResumeLinks{};
  if (what == "resume") return ResumeLink{LinkId(words.next())};
  if (what == "unfreeze") return UnfreezeTable{TableId(words.next())};
  if (what == "remove") return RemovePerson{Badge(words.next())};
  if (what == "roles") {
    const Badge badge(words.next());
    return SetRoles{badge, words.roles()};
  }
  if (what == "pin") {
    const std::string badge = words.next();
    return ResetPin{Badge(badge), "another " + pin_of(badge)};
  }
  if (what == "add") {
    const std::string badge = words.next();
    const Department department = Words::known(parse_department(words.next()));
    return AddPerson{person_of(badge, department, words.roles())};
  }
  if (what == "enrol" || what == "revoke") {
    const std::string table = words.next();
    if (what == "revoke") return Revoke{EnrolmentKind::table, table};
    const bool is_name = words.next() == "key";  // otherwise "as-is"
    const std::string key = words.next();
    return Enrol{{EnrolmentKind::table, table, is_name ? key_of(key) : key}};
  }
  const LinkId link(words.next());
  if (what == "stop") return StopCollecting{link, ""};
  if (what == "discontinue") {
    if (words.next() == "nowhere") return Discontinue{link, {}, {}, ""};
    const LinkId heir(words.next());
    return Discontinue{link, heir, LevelId(words.next()), ""};
  }
  const LevelId level(words.next());
  if (what == "correct") {
    const Amount amount = words.amount();
    return CorrectMeter{link, level, amount, words.reason(parse_correction_reason), ""};
  }
  if (what != "transfer") throw std::runtime_error("\"" + what + "\" takes no two persons");
  words.literal("to");
  const LinkId to(words.next());
  const LevelId to_level(words.next());
  const Amount amount = words.amount();
  return TransferMeter{link, level, to, to_level, amount, words.reason(parse_transfer_reason), ""};
}

std::vector<Card> parse_cards_word(const std::string& cards) {
  std::vector<Card> all;
  std::istringstream list(cards == "-" ? "" : cards);
  for (std::string one; std::getline(list, one, ',');) {
    all.push_back(Words::known(parse_card(one)));
  }
  return all;
}

// "correct TABLE ROUND dealer [to CARDS] [board CARDS] [magic CARD] [lucky N] for REASON"
CorrectDealer parse_dealer_correction(Words& words, TableId table, RoundId round) {
  CorrectDealer correct;
  correct.table = std::move(table);
  correct.round = std::move(round);
  for (std::string word = words.next(); word != "for"; word = words.next()) {
    if (word == "to") {
      correct.cards = parse_cards_word(words.next());
    } else if (word == "board") {
      correct.board = parse_cards_word(words.next());
    } else if (word == "magic") {
      correct.magic = Words::known(parse_card(words.next()));
    } else if (word == "lucky") {
      correct.lucky = Seat(static_cast<std::uint8_t>(words.number()));
    } else {
      throw std::runtime_error("to, board, magic, lucky or for");
    }
  }
  correct.reason = Words::known(parse_hand_reason(words.next()));
  return correct;
}

// "correct TABLE POT pot [seat N to CARDS|none [folded]]... [board CARDS] [showdown yes|no] for
// REASON"
CorrectPot parse_pot_correction(Words& words, TableId table, RoundId pot) {
  CorrectPot correct;
  correct.table = std::move(table);
  correct.round = std::move(pot);
  for (std::string word = words.next(); word != "for"; word = words.next()) {
    if (word == "seat") {
      CorrectPot::Hand& hand = correct.hands.emplace_back();
      hand.seat = Seat(static_cast<std::uint8_t>(words.number()));
      words.literal("to");
      const std::string cards = words.next();
      hand.not_dealt_in = cards == "none";
      if (!hand.not_dealt_in) hand.cards = parse_cards_word(cards);
    } else if (word == "folded") {
      correct.hands.back().folded = true;
    } else if (word == "board") {
      correct.board = parse_cards_word(words.next());
    } else if (word == "showdown") {
      correct.showdown = words.next() == "yes";
    } else {
      throw std::runtime_error("seat, folded, board, showdown or for");
    }
  }
  correct.reason = Words::known(parse_hand_reason(words.next()));
  return correct;
}

// "correct TABLE ROUND seat N to As,Ks,Qs [folded] for REASON"; "-": no cards, and no hand unless
// folded.
OperatorCommand parse_correction(Words& words) {
  CorrectHand correct;
  correct.table = TableId(words.next());
  correct.round = RoundId(words.next());
  const std::string what = words.next();
  if (what == "dealer") return parse_dealer_correction(words, correct.table, correct.round);
  if (what == "pot") return parse_pot_correction(words, correct.table, correct.round);
  if (what != "seat") throw std::runtime_error("seat, dealer or pot");
  correct.seat = Seat(static_cast<std::uint8_t>(words.number()));
  words.literal("to");
  correct.cards = parse_cards_word(words.next());
  std::string word = words.next();
  correct.folded = word == "folded";
  if (correct.folded) word = words.next();
  if (word != "for") throw std::runtime_error("for which reason");
  correct.reason = Words::known(parse_hand_reason(words.next()));
  return correct;
}

}  // namespace

bool is_act_command(const std::string& line) {
  const std::string_view verb = std::string_view(line).substr(0, line.find(' '));
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

PersonMessage parse_act_command(const std::string& line, const State& state) {
  Words words(line);
  const std::string verb = words.next();
  PersonMessage message;
  if (verb == "notice") {
    const LinkId link(words.next());
    const std::string how = words.next();
    if (how != "posted" && how != "cleared") throw std::runtime_error("posted or cleared");
    message.by = words.by();
    message.act = PostNotice{link, how == "posted"};
  } else if (verb == "void") {
    VoidSlip annul{SlipNumber(words.number()), words.reason(parse_void_reason), ""};
    message.by = words.by();
    annul.note = words.note();
    message.act = annul;
  } else if (verb == "correct") {
    message.act = parse_correction(words);
    message.by = words.by();
    const std::string note = words.note();
    if (auto* hand = std::get_if<CorrectHand>(&message.act)) hand->note = note;
    if (auto* dealer = std::get_if<CorrectDealer>(&message.act)) dealer->note = note;
    if (auto* pot = std::get_if<CorrectPot>(&message.act)) pot->note = note;
  } else if (verb == "suspend") {
    const LinkId link(words.next());
    message.by = words.by();
    message.act = SuspendLink{link, words.note()};
  } else if (verb == "freeze") {
    const TableId table(words.next());
    message.by = words.by();
    message.act = FreezeTable{table, words.note()};
  } else if (verb == "pin") {
    const ChangePin change{pin_of(words.next())};
    message.by = words.by();
    message.act = change;
  } else if (verb == "propose") {
    const Propose propose{parse_dual_act(words)};
    message.by = words.by();
    message.act = propose;
  } else if (verb == "confirm") {
    const ProposalNumber number(words.number());
    message.by = words.by();
    const Proposal* proposal = state.find_proposal(number);
    Confirm confirm{number, proposal == nullptr ? "" : summary(proposal->act)};
    if (words.has_more()) {
      words.literal("for");
      confirm.summary = words.rest();
    }
    message.act = confirm;
  } else {
    const ClaimNumber claim(words.number());
    if (verb == "pay" || verb == "issue_slip") {
      words.literal("from");
      const PaymentSource source = Words::known(parse_payment_source(words.next()));
      message.by = words.by();
      const Claim* known = state.find_claim(claim);
      const Slip* open = known == nullptr ? nullptr : state.open_slip(*known);
      PayClaim pay{claim, source, open == nullptr ? SlipNumber() : open->number};
      if (verb == "pay" && words.has_more()) {
        words.literal("on");
        pay.slip = SlipNumber(words.number());
      }
      message.act =
          verb == "pay" ? OperatorCommand(pay) : OperatorCommand(IssueSlip{claim, source});
    } else if (verb == "countersign") {
      message.act = CountersignClaim{claim};
      message.by = words.by();
    } else if (verb == "reject") {
      RejectClaim reject{claim, words.reason(parse_reject_reason), ""};
      message.by = words.by();
      reject.note = words.note();
      message.act = reject;
    } else {
      message.act = ValidateClaim{claim};
      message.by = words.by();
    }
  }
  if (words.has_more()) throw std::runtime_error("\"" + words.rest() + "\" is too much");
  return message;
}

}  // namespace linkmeter
