// What HttpApi answers who reads: people and programs with a session.
#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "controller/slips/slip_document.h"
#include "controller/slips/slip_json.h"
#include "controller/slips/slip_pdf.h"
#include "controller/store/hash_chain.h"
#include "controller/view/claim_json.h"
#include "controller/view/meters_json.h"
#include "controller/view/staff_words.h"
#include "controller/web/api.h"
#include "controller/web/operator_api.h"
#include "controller/web/sign_board.h"
#include "meters/values/invariant.h"
#include "meters/values/number.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::size_t claims_page_max = 20;
constexpr std::size_t open_claims_max = 50;
constexpr std::size_t rounds_page_max = 20;

WebResponse json_response(const Json& body) {
  WebResponse response;
  response.body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

WebResponse not_found(const char* error, const char* message) {
  return web_refusal(404, error, message);
}

// Who has to do with claims, and who reads everything.
bool may_read_claims(const Person& person) {
  constexpr std::array concerned = {Right::validate_claims, Right::verify_bad_beats,
                                    Right::pay_claims,      Right::countersign_claims,
                                    Right::issue_slips,     Right::suspend_links,
                                    Right::post_notices,    Right::correct_hands};
  return person.department == Department::oversight ||
         std::any_of(concerned.begin(), concerned.end(),
                     [&person](Right right) { return person.has(right); });
}

// What is told of the books, and to nobody else.
bool is_of_accounts(const std::string& path) {
  constexpr std::array<std::string_view, 6> paths = {"/api/accounting", "/api/accounts/claims",
                                                     "/api/days",       "/api/explain",
                                                     "/api/journal",    "/api/acts"};
  return std::find(paths.begin(), paths.end(), path) != paths.end() ||
         path.starts_with("/api/days/") || path == "/api/configurations" ||
         (path.starts_with("/api/links/") && path.ends_with("/history"));
}

bool may_read_accounts(const Person& person) {
  return person.roles.contains(Role::accountant) || person.roles.contains(Role::finance_manager) ||
         person.roles.contains(Role::auditor);
}

// Whoever has to do with the claims of a payout, and who keeps the books of its fund.
bool is_distribution(const std::string& path) {
  return path.starts_with("/api/claims/") && path.ends_with("/distribution");
}

bool may_read(const Person& person, const std::string& path) {
  if (is_distribution(path)) return may_read_claims(person) || may_read_accounts(person);
  return is_of_accounts(path) ? may_read_accounts(person) : may_read_claims(person);
}

const char* error_of(SlipStore::Missing missing) {
  return missing == SlipStore::Missing::not_stored_yet ? "copy_not_stored" : "copy_differs";
}

bool is_open(const Claim& claim) {
  return claim.state == ClaimState::raised || claim.state == ClaimState::validated;
}

}  // namespace

void HttpApi::get(Waiting& waiting, Moment now) {
  const WebRequest& request = waiting.request;
  const std::string& path = request.path;
  constexpr std::string_view claim_root = "/api/claims/", slip_root = "/api/slips/";
  constexpr std::string_view paper_root = "/slips/", pdf = ".pdf";
  constexpr std::string_view table_root = "/api/tables/", rounds = "/rounds";
  // Only what a person does keeps him signed in; a page that reads by itself does not.
  const WebSession* session =
      path == "/api/me" ? sessions_.find(request, now.uptime) : sessions_.look(request, now.uptime);
  const Person* person = session == nullptr ? nullptr : state().find_person(Badge(session->badge));
  if (person == nullptr) {
    return answer(waiting.ticket, web_refusal(401, "not_signed_in", "sign in with badge and PIN"));
  }
  waiting.badge = session->badge;
  if (path == "/api/me") return answer(waiting.ticket, json_response(me(*session)));
  if (person->pin_is_given) {  // whoever made his PIN could be reading
    return answer(waiting.ticket, web_refusal(403, std::string(name(Refusal::pin_to_be_changed)),
                                              std::string(sentence(Refusal::pin_to_be_changed))));
  }
  if (!may_read(*person, path)) {
    return answer(waiting.ticket,
                  web_refusal(403, "right_missing", std::string(sentence(Refusal::right_missing))));
  }
  if (path == "/events/floor") {
    return server_->answer_stream(
        waiting.ticket, {{SignBoard::floor_topic, "session/" + std::to_string(session->number)}});
  }
  if (is_distribution(path)) return tell_distribution(waiting);
  if (is_of_accounts(path)) return read_accounts(waiting, now);
  if (path == "/api/claims") return claims(waiting);
  if (path.starts_with(claim_root)) {
    return answer(waiting.ticket, claim(path.substr(claim_root.size()), now));
  }
  if (path.starts_with(slip_root)) {
    return answer(waiting.ticket, slip(path.substr(slip_root.size()), now));
  }
  if (path.starts_with(table_root) && path.ends_with(rounds) &&
      path.size() > table_root.size() + rounds.size()) {
    const std::size_t length = path.size() - table_root.size() - rounds.size();
    return answer(waiting.ticket, this->rounds(path.substr(table_root.size(), length)));
  }
  if (path.starts_with(paper_root) && path.ends_with(pdf)) {
    const std::size_t digits = path.size() - paper_root.size() - pdf.size();
    return answer(waiting.ticket, stored_slip(path.substr(paper_root.size(), digits)));
  }
  answer(waiting.ticket, not_found("not_found", "there is nothing here"));
}

Json HttpApi::me(const WebSession& session) const {
  const Person* person = state().find_person(Badge(session.badge));
  Json told{{"badge", session.badge}, {"name", ""}, {"roles", Json::array()}};
  if (person != nullptr) {
    told["name"] = person->name;
    told["roles"] = role_names(*person);
    told["rights"] = right_names(*person);
    told["pin_to_be_changed"] = person->pin_is_given;
  }
  told["token"] = session.token;
  if (slip_printer_ != nullptr) told["zone"] = slip_printer_->zone();
  told["idle_s"] = WebSessions::idle_max.count();
  return told;
}

Json HttpApi::whole(const Claim& claim, Moment now) const {
  return claim_detail_json(state(), claim, controller_.rules().link(claim.link), journal_,
                           now.as_of);
}

// All that are open, and the newest of the others; older ones by ?before=N.
void HttpApi::claims(const Waiting& waiting) {
  const auto& all = state().claims();
  std::size_t from = all.size();
  const auto asked = waiting.request.query.find("before");
  const bool pages_back = asked != waiting.request.query.end();
  if (pages_back) {
    const auto number = parse_number(asked->second);
    if (!number || *number == 0) {
      return answer(waiting.ticket,
                    web_refusal(400, "before_malformed", "\"before\" is the number of a claim"));
    }
    from = std::min(from, static_cast<std::size_t>(*number - 1));
  }
  Listing listing{waiting.ticket, {}, Json::array()};
  std::size_t others = 0, open = 0;
  for (std::size_t at = from; at > 0; --at) {
    const Claim& claim = all[at - 1];
    const bool counts_as_open = is_open(claim) && !pages_back;
    std::size_t& count = counts_as_open ? open : others;
    const std::size_t most = counts_as_open ? open_claims_max : claims_page_max;
    if (count >= most) {
      if (pages_back) break;
      continue;
    }
    ++count;
    listing.left.push_back(claim.number);
  }
  const auto refused = listings_.push(waiting.badge, true, std::move(listing));
  if (refused) answer(refused->ticket, web_busy());
}

// False: it cannot be read, and its ticket has its answer.
bool HttpApi::list_next(Listing& listing, Moment now) {
  try {
    const ReadingScope reads;
    const Claim* claim = state().find_claim(listing.left.front());
    if (claim != nullptr) listing.list.push_back(whole(*claim, now));
    listing.left.pop_front();
    return true;
  } catch (const BrokenLaw& error) {
    answer(listing.ticket, not_read(error));
  } catch (const Fault& error) {
    answer(listing.ticket, not_read(error));
  }
  return false;
}

// A whole claim reads the journal: so few are told between two turns.
void HttpApi::go_on_listing(Moment now) {
  for (std::size_t told = 0;;) {
    if (!listing_) listing_ = listings_.pop();
    if (!listing_) return;
    if (listing_->left.empty()) {
      answer(listing_->ticket, json_response(Json{{"claims", std::move(listing_->list)}}));
      listing_.reset();
      continue;
    }
    if (told++ >= listed_per_loop_max) return;
    if (server_->has_given_up(listing_->ticket) || !list_next(*listing_, now)) listing_.reset();
  }
}

WebResponse HttpApi::claim(const std::string& number, Moment now) const {
  const auto parsed = parse_number(number);
  const Claim* found = parsed ? state().find_claim(ClaimNumber(*parsed)) : nullptr;
  if (found == nullptr) return not_found("claim_unknown", "there is no such claim");
  return json_response(whole(*found, now));
}

// What is on paper is in the document: the stored copy's own words.
WebResponse HttpApi::slip(const std::string& number, Moment now) const {
  const auto parsed = parse_number(number);
  const Slip* found = parsed ? state().find_slip(SlipNumber(*parsed)) : nullptr;
  const Claim* claim = found == nullptr ? nullptr : state().find_claim(found->claim);
  if (claim == nullptr || slip_printer_ == nullptr) {
    return not_found("slip_unknown", "there is no such slip");
  }
  Json told{{"slip", found->number.value()},
            {"house", state().floor().house},
            {"game", controller_.rules().game(claim->table).title},
            {"progressive", controller_.rules().link(claim->link).wager.title},
            {"state", name(found->state)},
            {"source", name(found->source)},
            {"amount", text_cents(found->amount)},
            {"taxable", found->taxable},
            {"issued_at", moment_or_null(found->issued_at)},
            {"issued_by", text_or_null(found->issued_by)},
            {"void_reason", found->void_reason ? Json(name(*found->void_reason)) : Json()},
            {"void_note", text_or_null(found->void_note)},
            {"voided_at", moment_or_null(found->voided_at)},
            {"voided_by", text_or_null(found->voided_by)},
            {"paid_at", moment_or_null(found->paid_at)},
            {"paid_by", text_or_null(found->paid_by)},
            {"digest", found->stored ? Json(hex(*found->stored)) : Json()},
            {"claim", whole(*claim, now)},
            {"parts", slip_parts},
            {"document", nullptr},
            {"copy", nullptr},
            {"void", void_sentences(state(), *found, slip_printer_->zone())}};
  const auto copy = slip_printer_->store().read(*found);
  if (const auto* missing = std::get_if<SlipStore::Missing>(&copy)) {
    told["copy"] =
        Json{{"error", error_of(*missing)}, {"message", sentence(*missing, found->number)}};
  } else if (const auto document = document_in(std::get<std::string>(copy))) {
    told["document"] = document_json(*document);
  }
  return json_response(told);
}

WebResponse HttpApi::stored_slip(const std::string& number) const {
  const auto parsed = parse_number(number);
  const Slip* slip = parsed ? state().find_slip(SlipNumber(*parsed)) : nullptr;
  if (slip == nullptr || slip_printer_ == nullptr) {
    return not_found("slip_unknown", "there is no such slip");
  }
  auto copy = slip_printer_->copy(*slip);
  if (const auto* missing = std::get_if<SlipStore::Missing>(&copy)) {
    const bool comes = *missing == SlipStore::Missing::not_stored_yet;
    WebResponse no =
        web_refusal(comes ? 503 : 409, error_of(*missing), sentence(*missing, slip->number));
    if (comes) no.headers.emplace_back("Retry-After", "1");
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

WebResponse HttpApi::rounds(const std::string& table) const {
  const auto place = state().floor().find_table(TableId(table));
  if (!place) return not_found("table_unknown", "there is no such table");
  return json_response(Json{{"table", table},
                            {"rounds", rounds_json(state(), *place, rounds_page_max)},
                            {"pots", pots_json(state(), *place, rounds_page_max)}});
}

WebResponse HttpApi::accounting() const { return json_response(meters_json(state())); }

}  // namespace linkmeter
