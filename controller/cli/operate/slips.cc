#include <iostream>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/store/hash_chain.h"
#include "meters/state/claim.h"
#include "meters/values/amount.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter::cli {

namespace {

Json threshold_json(const std::optional<TaxThreshold>& threshold) {
  if (!threshold) return nullptr;
  return Json{{"since", threshold->date},
              {"amount", text_cents(threshold->amount)},
              {"ratio", threshold->ratio}};
}

Json slip_json(const State& state, const Slip& slip) {
  const Claim& claim = *state.find_claim(slip.claim);
  return Json{{"slip", slip.number.value()},
              {"entry", slip.entry.value()},
              {"state", name(slip.state)},
              {"claim", slip.claim.value()},
              {"link", state.floor().link(claim.link).id.text()},
              {"table", state.floor().table(claim.table).id.text()},
              {"seat", claim.seat.value()},
              {"line", claim.line.text()},
              {"source", name(slip.source)},
              {"amount", text_cents(slip.amount)},
              {"wager", text_cents(slip.wager)},
              {"taxable", slip.taxable},
              {"threshold", threshold_json(slip.threshold)},
              {"issued_at", moment_or_null(slip.issued_at)},
              {"issued_by", text_or_null(slip.issued_by)},
              {"voided_at", moment_or_null(slip.voided_at)},
              {"voided_by", text_or_null(slip.voided_by)},
              {"void_reason", slip.void_reason ? Json(name(*slip.void_reason)) : Json()},
              {"void_note", text_or_null(slip.void_note)},
              {"paid_at", moment_or_null(slip.paid_at)},
              {"paid_by", text_or_null(slip.paid_by)},
              {"stored", slip.stored ? Json(hex(*slip.stored)) : Json()}};
}

void print_line(const char* what, const std::string& says) {
  if (!says.empty()) std::cout << what << says << '\n';
}

std::string at_by(Timestamp at, const Badge& by) {
  return by.empty() ? "" : text(at) + " by " + by.text();
}

void print_slip(const State& state, const Slip& slip) {
  const Claim& claim = *state.find_claim(slip.claim);
  std::cout << "slip " << slip.number.value() << ": " << name(slip.state) << '\n';
  std::cout << "claim      " << slip.claim.value() << ", "
            << state.floor().link(claim.link).id.text() << ", "
            << state.floor().table(claim.table).id.text() << " seat "
            << static_cast<int>(claim.seat.value()) << ", " << claim.line.text() << '\n';
  print_line("amount     ", money_text(slip.amount));
  print_line("wager      ", slip.wager == Amount() ? "none" : money_text(slip.wager));
  print_line("source     ", std::string(name(slip.source)));
  const std::string taxable = slip.taxable ? "yes" : "no";
  print_line("taxable    ", taxable + (slip.threshold ? ": since " + text(*slip.threshold) : ""));
  print_line("validated  ", at_by(claim.validated_at, claim.validated_by));
  print_line("signed     ", at_by(claim.countersigned_at, claim.countersigned_by));
  print_line("issued     ", at_by(slip.issued_at, slip.issued_by));
  print_line("paid       ", at_by(slip.paid_at, slip.paid_by));
  if (slip.void_reason) {
    print_line("void       ", at_by(slip.voided_at, slip.voided_by) + ", " +
                                  std::string(name(*slip.void_reason)) +
                                  (slip.void_note.empty() ? "" : ", " + slip.void_note));
  }
  print_line("stored     ", slip.stored ? hex(*slip.stored) : "");
}

Json slips_json(const Journal&, const State& state) {
  Json all = Json::array();
  for (const Slip& slip : state.slips()) all.push_back(slip_json(state, slip));
  return all;
}

int show_slip(const Source& from, SlipNumber number, bool as_json) {
  const State state = current_state(*open_data(from));
  const Slip* slip = state.find_slip(number);
  if (slip == nullptr) {
    throw Fault("there is no slip " + std::to_string(number.value()) + "; there are " +
                std::to_string(state.slips().size()));
  }
  if (as_json) {
    print_json(slip_json(state, *slip));
  } else {
    print_slip(state, *slip);
  }
  return 0;
}

}  // namespace

void declare_slips(CLI::App& app, CommandBuilder& declare) {
  CLI::App& slip = CommandBuilder::group(app, "slip", "Issue, void or show a slip");
  CLI::App* issue = declare.act(
      slip, "issue", "Issue the numbered slip on which a validated claim is paid",
      [](const CommandOptions& given) {
        return IssueSlip{ClaimNumber(given.number), parse_payment_source(given.source).value()};
      });
  declare.takes_number(issue, "claim", "The claim's number");
  declare.takes_payment_source(issue);
  const auto takes_slip = [&declare](CLI::App* command) {
    declare.takes_number(command, "slip", "The slip's number");
  };
  CLI::App* voiding = declare.act(
      slip, "void",
      "Void a slip: it is not paid, its number is not used again, the claim may get another",
      [](const CommandOptions& given) {
        return VoidSlip{SlipNumber(given.number), parse_void_reason(given.reason).value(),
                        given.note};
      });
  takes_slip(voiding);
  declare.takes_reason(voiding, parse_void_reason,
                       "misprint, wrong_source, wrong_person, other_error");
  declare.takes_note(voiding);
  takes_slip(declare.reading(slip, "show", "Show one slip", [&given = declare.options] {
    return show_slip(given.from, SlipNumber(given.number), given.json);
  }));
  const auto taxable = [](const Json& value) { return value == true ? "taxable" : ""; };
  declare.showing(app, "slips", "List all slips", slips_json,
                  {left("slip"), left("state"), left("claim"), left("source"),
                   left("taxable", "taxable", taxable), left("issued", "issued_at"),
                   left("by", "issued_by"), right("amount", "amount", money_cell)});
}

}  // namespace linkmeter::cli
