#include "controller/slips/slip_document.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "controller/slips/slip_store.h"
#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/time/local_time.h"
#include "controller/view/claim_cards.h"
#include "controller/view/display_names.h"
#include "meters/facts/settled.h"
#include "meters/values/hex.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// "straight_flush" as "straight flush".
std::string words(std::string_view name) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

// The cards as they counted when the claim was raised, and the hits and awards of that entry.
struct Raised {
  ClaimCards cards;
  std::vector<JackpotHit> hits;
  std::vector<Award> awards;
};

Raised raised_by(const Journal& journal, const Claim& claim) {
  const std::optional<Entry> entry = find_entry(journal, claim.entry);
  if (entry) {
    const Settled outcome = settled(*entry);
    if (outcome.round != nullptr)
      return {claim_cards(journal, claim), *outcome.hits, *outcome.awards};
  }
  throw Fault("entry " + std::to_string(claim.entry.value()) + " raised no claim");
}

std::string person_text(const State& state, const Badge& badge) {
  const Person* who = state.find_person(badge);
  return badge.text() + (who == nullptr ? "" : " " + who->name);
}

// The configuration in force when a slip was issued.
struct InForce {
  EntryNumber since;
  const Floor& floor;
  const LinkRules& rules;  // of the claim's link
};

class Writing {
 public:
  Writing(const State& state, const InForce& then, const Raised& raised, const Slip& slip,
          const Claim& claim, const std::string& zone)
      : state_(state),
        then_(then),
        rules_(then.rules),
        raised_(raised),
        slip_(slip),
        claim_(claim),
        terms_(then.floor.link(claim.link)),
        zone_(zone) {
    const auto& lines = rules_.paytable.lines;
    const auto line = std::find_if(lines.begin(), lines.end(),
                                   [&](const Line& one) { return one.id == claim_.line; });
    if (line != lines.end()) line_ = &*line;
  }

  SlipDocument document() {
    SlipDocument told;
    told.house = then_.floor.house;
    told.number = number_text(slip_.number);
    told.issued_at = local(slip_.issued_at);
    told.amount = money_text(slip_.amount);
    told.facts = facts();
    for (const Card card : cards()) told.cards.push_back(text(card));
    told.arithmetic = arithmetic();
    told.is_taxable = slip_.taxable;
    told.tax = tax();
    if (!claim_.corrected_by.empty()) {
      told.signed_by.push_back(
          {"Hand corrected by", person(claim_.corrected_by, claim_.raised_at)});
    }
    told.signed_by.push_back({"Validated by", person(claim_.validated_by, claim_.validated_at)});
    const bool was_countersigned =
        !claim_.countersigned_by.empty() && claim_.countersigned_at <= slip_.issued_at;
    if (was_countersigned) {
      told.signed_by.push_back(
          {"Second signature", person(claim_.countersigned_by, claim_.countersigned_at)});
    }
    told.signed_by.push_back({"Issued by", person(slip_.issued_by, slip_.issued_at)});
    told.to_be_signed = {"Floorperson", "Cashier or dealer", "Patron"};
    told.evidence = "Journal: slip issued with entry " + std::to_string(slip_.entry.value()) +
                    ", claim " + std::to_string(claim_.number.value()) + " raised with entry " +
                    std::to_string(claim_.entry.value()) + ", configuration of entry " +
                    std::to_string(then_.since.value()) + ".";
    return told;
  }

 private:
  [[nodiscard]] std::string local(Timestamp moment) const { return local_text(moment, zone_); }

  [[nodiscard]] std::string person(const Badge& badge, Timestamp at) const {
    return person_text(state_, badge) + ", " + local(at);
  }

  [[nodiscard]] std::vector<SlipDocument::Row> facts() const {
    const TableConfig& table = then_.floor.table(claim_.table);
    std::string line = words(claim_.line.text()) + (is_dealers() ? ", dealer's hand" : "");
    if (line_ != nullptr) line += " (" + line_->section + ")";
    std::string from = "fixed award";
    if (claim_.level) {
      from = terms_.levels[claim_.level->value()].id.text() +
             (claim_.whole_meter ? ", the whole meter" : ", a part of the meter");
    }
    std::string wager = terms_.pot                ? "contributing pots"
                        : slip_.wager == Amount() ? "none of this seat"
                                                  : money_text(slip_.wager);
    const std::string seat = "seat " + std::to_string(claim_.seat.value());
    std::vector<SlipDocument::Row> rows{
        {"Claim", std::to_string(claim_.number.value())},
        {"Raised", local(claim_.raised_at)},
        {"Link", terms_.id.text()},
        {"Wager", rules_.wager.title + ", " + std::move(wager)},
        {"Line", std::move(line)},
        {"Level", std::move(from)},
        {"Table", table.id.text() + ", " + seat},
        {"Asset number", table.asset.empty() ? "none" : table.asset},
        {"Round", claim_.round.text()},
        {"Paid from", std::string(payment_source_text(slip_.source))}};
    if (rules_.wager.decided_by == DecidedBy::both_hands) {
      std::string dealers;
      for (const Card card : raised_.cards.dealer) {
        dealers += (dealers.empty() ? "" : " ") + text(card);
      }
      rows.push_back({"Dealer's hand", dealers});
    }
    return rows;
  }

  [[nodiscard]] bool is_dealers() const {
    return claim_.on_dealer || rules_.wager.decided_by == DecidedBy::dealer_hand;
  }

  // The dealer's cards, if they won; else the seat's own or, for an Envy claim, the winner's; in
  // poker with the board.
  [[nodiscard]] std::vector<Card> cards() const {
    if (is_dealers()) return raised_.cards.dealer;
    const Award* own = award();
    const Seat holder = own != nullptr && own->holder ? *own->holder : claim_.seat;
    std::vector<Card> all;
    if (const ShownHand* hand = raised_.cards.find(holder)) all = hand->cards;
    all.insert(all.end(), raised_.cards.board.begin(), raised_.cards.board.end());
    return all;
  }

  [[nodiscard]] const Award* award() const {
    const auto found = std::find_if(raised_.awards.begin(), raised_.awards.end(),
                                    [&](const Award& one) { return one.claim == claim_.number; });
    return found == raised_.awards.end() ? nullptr : &*found;
  }

  // How the amount was computed, a sentence for each step.
  [[nodiscard]] std::vector<std::string> arithmetic() const {
    std::vector<std::string> steps;
    if (claim_.level) {
      add_hit(steps);
    } else if (line_ != nullptr && slip_.wager != Amount()) {
      const std::string what = claim_.holder ? "Envy Bonus for this line in the hand of seat " +
                                                   std::to_string(claim_.holder->value())
                                             : "award for this line";
      steps.push_back("The paytable's " + what + " on a wager of " + money_text(slip_.wager) +
                      ": " + money_text(claim_.uncut.value_or(claim_.amount)) + ".");
    }
    if (claim_.uncut) {
      steps.push_back("The payout limit left " + money_text(claim_.amount) + " of " +
                      money_text(*claim_.uncut) + ".");
    }
    return steps;
  }

  void add_hit(std::vector<std::string>& steps) const {
    const std::string level = terms_.levels[claim_.level->value()].id.text();
    const Award* own = award();
    if (own == nullptr || own->hit == 0 || own->hit > raised_.hits.size()) return;
    const JackpotHit& hit = raised_.hits[own->hit - 1];
    if (hit.meter_before >= hit.amount) {
      // The next step shows what a payout limit left on the meter.
      const Amount called = claim_.uncut.value_or(hit.amount);
      steps.push_back("The meter of " + level + " stood at $" +
                      grouped(text_exact(hit.meter_before)) + " at this hand's turn; " +
                      (hit.whole ? "all of it" : "its part") + " in whole cents is " +
                      money_text(called) + ".");
    }
    std::string shares;
    std::size_t count = 0;
    for (const Award& one : raised_.awards) {
      if (one.hit != own->hit) continue;
      ++count;
      shares += (shares.empty() ? "" : ", ") + ("seat " + std::to_string(one.seat.value())) + " " +
                money_text(one.amount);
    }
    if (count > 1) {
      steps.push_back("Shared by " + std::to_string(count) + " in whole cents: " + shares + ".");
    }
  }

  [[nodiscard]] std::string tax() const {
    if (!slip_.threshold) return "Not reportable: no threshold is in force.";
    const TaxThreshold& threshold = *slip_.threshold;
    const std::string least = money_text(threshold.amount);
    const std::string times = std::to_string(threshold.ratio) + " times the wager";
    const std::string since = " (thresholds since " + threshold.date + ").";
    if (slip_.taxable) {
      return "Reportable, Form W-2G: at least " + least + ", and at least " + times + since;
    }
    return "Not reportable: less than " + (slip_.amount < threshold.amount ? least : times) + since;
  }

  const State& state_;
  const InForce& then_;
  const LinkRules& rules_;
  const Raised& raised_;
  const Slip& slip_;
  const Claim& claim_;
  const LinkConfig& terms_;
  const std::string& zone_;
  const Line* line_ = nullptr;
};

Json rows_json(const std::vector<SlipDocument::Row>& rows) {
  return json_list(rows, [](const SlipDocument::Row& row) {
    return Json{{"label", row.label}, {"value", row.value}};
  });
}

std::vector<SlipDocument::Row> rows_of(const Json& json) {
  std::vector<SlipDocument::Row> rows;
  for (const Json& row : json) rows.push_back({row.at("label"), row.at("value")});
  return rows;
}

}  // namespace

SlipDocument slip_document(const State& state, const FloorRules& rules, const Journal& journal,
                           const Slip& slip, const std::string& zone) {
  const Claim* claim = state.find_claim(slip.claim);
  INVARIANT(claim != nullptr);
  const Raised raised = raised_by(journal, *claim);
  if (state.configuration() <= slip.entry) {
    const InForce now{state.configuration(), state.floor(), rules.link(claim->link)};
    return Writing(state, now, raised, slip, *claim, zone).document();
  }
  const Configuration found = configuration_at(journal, slip.entry);
  const auto read = resolve_again(found.floor_text, found.catalogue_texts);
  const auto* file = std::get_if<FloorFile>(&read);
  if (file == nullptr) {
    throw Fault("the parameters of entry " + std::to_string(found.since.value()) +
                " cannot be read by this release");
  }
  const InForce then{found.since, found.floor, file->rules.link(claim->link)};
  return Writing(state, then, raised, slip, *claim, zone).document();
}

Json document_json(const SlipDocument& slip) {
  return Json{{"house", slip.house},
              {"number", slip.number},
              {"issued_at", slip.issued_at},
              {"amount", slip.amount},
              {"facts", rows_json(slip.facts)},
              {"cards", slip.cards},
              {"arithmetic", slip.arithmetic},
              {"tax", slip.tax},
              {"is_taxable", slip.is_taxable},
              {"signed_by", rows_json(slip.signed_by)},
              {"to_be_signed", slip.to_be_signed},
              {"evidence", slip.evidence}};
}

std::optional<SlipDocument> document_of(const Json& json) {
  try {
    return SlipDocument{json.at("house"),          json.at("number"),
                        json.at("issued_at"),      json.at("amount"),
                        rows_of(json.at("facts")), json.at("cards"),
                        json.at("arithmetic"),     json.at("tax"),
                        json.at("is_taxable"),     rows_of(json.at("signed_by")),
                        json.at("to_be_signed"),   json.at("evidence")};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::vector<std::string> void_sentences(const State& state, const Slip& slip,
                                        const std::string& zone) {
  if (slip.state != SlipState::voided) return {};
  std::string why = "VOID: not to be paid. Reason: ";
  why += slip.void_reason ? words(name(*slip.void_reason)) : "not told";
  if (!slip.void_note.empty()) why += ", " + slip.void_note;
  std::vector<std::string> sentences = {why + ".", "Made void by " +
                                                       person_text(state, slip.voided_by) + ", " +
                                                       local_text(slip.voided_at, zone) + "."};
  if (slip.stored) {
    sentences.push_back("VOID copy; the slip as it was issued is stored with SHA-256 " +
                        hex(*slip.stored) + ".");
  }
  return sentences;
}

}  // namespace linkmeter
