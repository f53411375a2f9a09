#include "controller/web/accounting_api.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "controller/accounting/day/distribution.h"
#include "controller/accounting/explain/explanation.h"
#include "controller/turn/day_rollover.h"
#include "controller/view/meters_json.h"
#include "controller/web/accounting_views.h"
#include "controller/web/responses.h"
#include "meters/values/hex.h"
#include "meters/values/number.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

constexpr std::size_t days_listed_max = 400;
constexpr std::size_t reports_asked_max = 8;  // when days are listed
constexpr std::size_t acts_page_max = 2'000;
constexpr std::uint64_t journal_page_max = 200;

// "": the query does not have the key.
std::string text_of(const WebRequest& request, const char* key) {
  const auto found = request.query.find(key);
  return found == request.query.end() ? "" : found->second;
}

// The number that the query has under `key`, or `missing` if it does not have the key. nullopt: it
// has another text, or none.
std::optional<std::uint64_t> number_of(const WebRequest& request, const char* key,
                                       std::uint64_t missing) {
  const auto found = request.query.find(key);
  return found == request.query.end() ? std::optional(missing) : parse_number(found->second);
}

std::optional<Pool> pool_named(const LinkConfig& link, const std::string& level) {
  if (level == "reserve") return Pool::reserve();
  for (std::size_t at = 0; at < link.levels.size(); ++at) {
    if (link.levels[at].id.text() == level) {
      return Pool::level(LevelIndex(static_cast<std::uint8_t>(at)));
    }
  }
  return std::nullopt;
}

}  // namespace

AccountingApi::AccountingApi(const State& state, const Journal& journal, DayReportWorker& reports,
                             const Calendar& calendar, WebServer& server)
    : state_(state),
      journal_(journal),
      reports_(reports),
      calendar_(calendar),
      worker_([&server](RequestId ticket,
                        WebResponse response) { server.answer(ticket, std::move(response)); },
              [&server](RequestId ticket) { return server.is_abandoned(ticket); }) {}

std::vector<Router::Route> AccountingApi::routes() {
  using Self = AccountingApi;
  return {
      {"GET", "/api/accounting", Access::accounting, handler(this, &Self::meters)},
      {"GET", "/api/accounts/claims", Access::accounting, handler(this, &Self::claims)},
      {"GET", "/api/days", Access::accounting, handler(this, &Self::days)},
      {"GET", "/api/days/{day}", Access::accounting, handler(this, &Self::day)},
      {"GET", "/api/explain", Access::accounting, handler(this, &Self::explanation)},
      {"GET", "/api/links/{link}/history", Access::accounting, handler(this, &Self::history)},
      {"GET", "/api/journal", Access::accounting, handler(this, &Self::journal)},
      {"GET", "/api/acts", Access::accounting, handler(this, &Self::acts)},
      {"GET", "/api/configurations", Access::accounting, handler(this, &Self::configurations)},
      {"GET", "/api/claims/{claim}/distribution", Access::claims_or_accounting,
       handler(this, &Self::distribution)},
  };
}

WebReply AccountingApi::ask(const WebCall& call, AccountingWorker::Work work) {
  worker_.ask(call.session->badge, call.ticket, std::move(work));
  return Deferred{};
}

WebReply AccountingApi::meters(WebCall& /*call*/) { return json_response(meters_json(state_)); }

WebReply AccountingApi::configurations(WebCall& call) {
  return ask(call, [this, since = state_.configuration()](const auto&) {
    return json_response(configurations_json(journal_, since));
  });
}

WebReply AccountingApi::claims(WebCall& call) {
  return ask(call, [listing = claim_listing(state_.claims()), floor = state_.floor(),
                    as_of = call.now.as_of](const auto&) {
    return json_response(claim_listing_json(listing, floor, as_of));
  });
}

DayStatus AccountingApi::status_of_day(const DayRecord& record, bool with_report) {
  DayStatus day{record, false, {}};
  if (record.is_closed() || !with_report) return day;
  const DayReport* report = reports_.report(state_, record.day);
  if (report == nullptr) return day;
  day.is_ready = true;
  day.open_items = static_cast<std::size_t>(
      std::count_if(report->finding.items.begin(), report->finding.items.end(),
                    [](const auto& item) { return item.second.is_open; }));
  return day;
}

WebReply AccountingApi::days(WebCall& call) {
  const std::vector<DayRecord>& all = state_.days();
  std::vector<DayStatus> days;
  std::size_t asked = 0;
  for (std::size_t at = all.size(); at > 0 && days.size() < days_listed_max; --at) {
    const bool with_report = !all[at - 1].is_closed() && asked < reports_asked_max;
    asked += with_report ? 1 : 0;
    days.push_back(status_of_day(all[at - 1], with_report));
  }
  return ask(call, [this, days = std::move(days),
                    today = running_day_json(state_, calendar_)](const auto&) {
    Json list = Json::array();
    for (const DayStatus& day : days) list.push_back(day_json(journal_, day));
    return json_response(Json{{"today", today}, {"days", std::move(list)}});
  });
}

WebReply AccountingApi::day(WebCall& call) {
  const auto day = parse_gaming_day(call.path.text("day"));
  const DayRecord* record = day ? state_.find_day(*day) : nullptr;
  if (record == nullptr) {
    const bool is_to_come = day && !state_.days().empty() && *day > state_.days().back().day;
    return refusal_response(is_to_come ? Refusal::day_not_over : Refusal::day_unknown);
  }
  // The bytes of the report are sent as they were signed.
  const auto respond = [this, status = status_of_day(*record, true)](const std::string& report,
                                                                     const Digest& digest) {
    WebResponse response;
    response.body = "{\"report\":" + report + ",\"digest\":\"" + hex(digest) +
                    "\",\"record\":" + day_json(journal_, status).dump() + "}\n";
    return response;
  };
  if (!record->is_closed()) {
    const DayReport* made = reports_.report(state_, *day);
    if (made == nullptr) return refusal_response(Refusal::report_not_ready);
    return ask(call, [respond, json = made->json, digest = made->digest](const auto&) {
      return respond(json, digest);
    });
  }
  return ask(
      call,
      [respond, path = reports_.path(*day), digest = record->report](const auto&) -> WebResponse {
        const std::optional<std::string> report = read_file(path);
        if (!report) return refusal_response(Refusal::report_not_ready);
        if (sha256(*report) != digest) return refusal_response(Refusal::report_differs);
        return respond(*report, digest);
      });
}

WebReply AccountingApi::explanation(WebCall& call) {
  ExplainRequest request{};
  request.at = state_.last_entry();
  if (call.request.query.contains("claim")) {
    const auto number = number_of(call.request, "claim", 0);
    const Claim* found = number ? state_.find_claim(ClaimNumber(*number)) : nullptr;
    if (found == nullptr) return refusal_response(Refusal::claim_unknown);
    request.claim = found->number;
    request.link = found->link;
    if (found->level) request.pool = Pool::level(*found->level);
  } else {
    const auto link = state_.floor().find_link(LinkId(text_of(call.request, "link")));
    const auto pool = link ? pool_named(state_.floor().link(*link), text_of(call.request, "level"))
                           : std::nullopt;
    if (!pool) return refusal_response(Refusal::link_unknown);
    request.link = *link;
    request.pool = *pool;
  }
  const auto at = number_of(call.request, "at", request.at.value());
  if (!at || *at == 0 || EntryNumber(*at) > request.at) {
    return refusal_response(Refusal::entry_unknown);
  }
  request.at = EntryNumber(*at);
  return ask(call, [this, request, basis = explain_basis(state_, request),
                    floor = state_.floor()](const std::atomic<bool>& stops) {
    const Explanation explanation = explain(journal_, basis, request, [&stops](std::uint64_t) {
      if (stops) throw Fault("the controller stops");
    });
    return json_response(explanation_json(explanation, floor, false));
  });
}

WebReply AccountingApi::history(WebCall& call) {
  const auto place = state_.floor().find_link(LinkId(call.path.text("link")));
  const std::string level = text_of(call.request, "level");
  const auto pool = place ? pool_named(state_.floor().link(*place), level) : std::nullopt;
  if (!pool) return refusal_response(Refusal::link_unknown);
  const auto count = number_of(call.request, "days", 30);
  if (!count || *count == 0 || *count > days_listed_max) {
    return malformed("days", "a number from 1 to 400");
  }
  const std::vector<DayRecord>& all = state_.days();
  // One more: what a day did is the difference of two readings. Before the first day there was
  // nothing.
  const std::size_t from = all.size() > *count ? all.size() - *count - 1 : 0;
  std::vector<DayRecord> shown;
  for (std::size_t at = from; at < all.size(); ++at) {
    shown.push_back({all[at].day, all[at].ended, all[at].ends_at});
  }
  const bool is_from_opening = all.size() <= *count;
  return ask(call, [this, shown = std::move(shown), place, pool, is_from_opening](const auto&) {
    return json_response(history_json(journal_, shown, *place, *pool, is_from_opening));
  });
}

// The payout of the hit that the claim is a share of.
WebReply AccountingApi::distribution(WebCall& call) {
  const auto number = call.path.number("claim");
  const Claim* claim = number ? state_.find_claim(ClaimNumber(*number)) : nullptr;
  std::vector<Claim> hit = claim == nullptr ? std::vector<Claim>() : hit_of(state_, *claim);
  if (hit.empty()) {
    return web_refusal(404, "claim_unknown", "there is no such claim of a fund of pots");
  }
  return ask(call,
             [this, hit = std::move(hit), floor = state_.floor()](const std::atomic<bool>& stops) {
               return json_response(
                   distribution_json(journal_, hit, floor, [&stops] { return stops.load(); }));
             });
}

WebReply AccountingApi::journal(WebCall& call) {
  const auto from = number_of(call.request, "from", 0);
  const auto most = number_of(call.request, "count", 50);
  if (!from || *from == 0) return malformed("from", "an entry's number");
  if (!most || *most == 0 || *most > journal_page_max) {
    return malformed("count", "a number from 1 to 200");
  }
  const JournalQuery query{EntryNumber(*from), *most, text_of(call.request, "fact")};
  return ask(call, [this, query, floor = state_.floor()](const std::atomic<bool>& stops) {
    return json_response(journal_json(journal_, floor, query, stops));
  });
}

// The first gaming day has no day before it: it begins with the first entry.
WebReply AccountingApi::acts(WebCall& call) {
  const auto day = parse_gaming_day(text_of(call.request, "day"));
  const DayRecord* record = day ? state_.find_day(*day) : nullptr;
  const bool is_today = day && *day == running_day(state_, calendar_).day;
  if (record == nullptr && !is_today) {
    return refusal_response(Refusal::day_unknown);
  }
  const auto from = number_of(call.request, "from", 1);
  const auto most = number_of(call.request, "count", acts_page_max);
  if (!from || *from == 0) return malformed("from", "an entry's number");
  if (!most || *most == 0 || *most > acts_page_max) {
    return malformed("count", "a number from 1 to 2000");
  }
  const DayRecord* before = state_.find_day(day->previous());
  const EntryNumber begin = before == nullptr ? EntryNumber(1) : before->ended.next();
  CommandQuery query{std::max(begin, EntryNumber(*from)),
                     record == nullptr ? state_.last_entry() : record->ended,
                     *most,
                     {}};
  for (const auto& [badge, person] : state_.people()) query.names.emplace(badge, person.name);
  return ask(call, [this, query = std::move(query),
                    floor = state_.floor()](const std::atomic<bool>& stops) {
    return json_response(acts_json(journal_, floor, query, stops));
  });
}

}  // namespace linkmeter
