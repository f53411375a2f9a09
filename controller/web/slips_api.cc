#include "controller/web/slips_api.h"

#include <variant>

#include "controller/slips/slip_document.h"
#include "controller/slips/slip_pdf.h"
#include "controller/store/hash_chain.h"
#include "controller/web/responses.h"

namespace linkmeter {
namespace {

const char* error_of(SlipStore::Missing missing) {
  return missing == SlipStore::Missing::not_stored_yet ? "copy_not_stored" : "copy_differs";
}

}  // namespace

std::vector<Router::Route> SlipsApi::routes() {
  using Self = SlipsApi;
  return {
      {"GET", "/api/slips/{slip}", Access::claims, handler(this, &Self::slip)},
      {"GET", "/slips/{slip}.pdf", Access::claims, handler(this, &Self::copy)},
  };
}

const Slip* SlipsApi::find(const WebCall& call) const {
  const auto number = call.path.number("slip");
  return number ? controller_.state().find_slip(SlipNumber(*number)) : nullptr;
}

WebReply SlipsApi::slip(WebCall& call) {
  const State& state = controller_.state();
  const Slip* slip = find(call);
  const Claim* claim = slip == nullptr ? nullptr : state.find_claim(slip->claim);
  if (claim == nullptr) return refusal_response(Refusal::slip_unknown);
  Json json{{"slip", slip->number.value()},
            {"house", state.floor().house},
            {"game", controller_.rules().game(claim->table).title},
            {"progressive", controller_.rules().link(claim->link).wager.title},
            {"state", name(slip->state)},
            {"source", name(slip->source)},
            {"amount", text_cents(slip->amount)},
            {"taxable", slip->taxable},
            {"issued_at", moment_or_null(slip->issued_at)},
            {"issued_by", text_or_null(slip->issued_by)},
            {"void_reason", slip->void_reason ? Json(name(*slip->void_reason)) : Json()},
            {"void_note", text_or_null(slip->void_note)},
            {"voided_at", moment_or_null(slip->voided_at)},
            {"voided_by", text_or_null(slip->voided_by)},
            {"paid_at", moment_or_null(slip->paid_at)},
            {"paid_by", text_or_null(slip->paid_by)},
            {"digest", slip->stored ? Json(hex(*slip->stored)) : Json()},
            {"claim", claims_.detail(*claim, call.now)},
            {"parts", slip_parts},
            {"document", nullptr},
            {"copy", nullptr},
            {"void", void_sentences(state, *slip, slip_printer_.zone())}};
  const auto copy = slip_printer_.store().read(*slip);
  if (const auto* missing = std::get_if<SlipStore::Missing>(&copy)) {
    json["copy"] =
        Json{{"error", error_of(*missing)}, {"message", sentence(*missing, slip->number)}};
  } else if (const auto document = document_in(std::get<std::string>(copy))) {
    json["document"] = document_json(*document);
  }
  return json_response(json);
}

WebReply SlipsApi::copy(WebCall& call) {
  const Slip* slip = find(call);
  if (slip == nullptr) return refusal_response(Refusal::slip_unknown);
  auto copy = slip_printer_.copy(*slip);
  if (const auto* missing = std::get_if<SlipStore::Missing>(&copy)) {
    const bool will_come = *missing == SlipStore::Missing::not_stored_yet;
    WebResponse no =
        web_refusal(will_come ? 503 : 409, error_of(*missing), sentence(*missing, slip->number));
    if (will_come) no.headers.emplace_back("Retry-After", "1");
    return no;
  }
  WebResponse response;
  response.type = "application/pdf";
  response.body = std::move(std::get<std::string>(copy));
  const std::string mark = slip->state == SlipState::voided ? "-VOID" : "";
  response.headers.emplace_back(
      "Content-Disposition",
      "inline; filename=\"slip-" + number_text(slip->number) + mark + ".pdf\"");
  return response;
}

}  // namespace linkmeter
