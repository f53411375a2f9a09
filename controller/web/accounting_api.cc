// What HttpApi answers who keeps the books: gaming days and their reports, explanations, the
// journal, people's acts. Whatever reads the journal is done by the AccountingWorker.
#include <algorithm>
#include <utility>

#include "controller/accounting/day/distribution.h"
#include "controller/accounting/explain/explanation.h"
#include "controller/store/journal_reader.h"
#include "controller/turn/day_rollover.h"
#include "controller/web/accounting_views.h"
#include "controller/web/api.h"
#include "controller/web/claims_api.h"
#include "controller/web/operator_api.h"
#include "meters/values/hex.h"
#include "meters/values/number.h"
#include "proto/host/atomic_file.h"
#include "proto/host/fault.h"
#include "proto/host/sha256.h"

namespace linkmeter {
namespace {

constexpr std::size_t days_listed_max = 400;
constexpr std::size_t days_looked_at_max = 8;  // whose reports are asked for, when days are listed
constexpr std::size_t acts_page_max = 2'000;
constexpr std::uint64_t journal_page_max = 200;

WebResponse told(const Json& body) {
  WebResponse response;
  response.body = body.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

WebResponse refusal(int status, Refusal no) {
  return web_refusal(status, std::string(name(no)), std::string(sentence(no)));
}

WebResponse malformed(const char* key, const char* what) {
  return web_refusal(400, std::string(key) + "_malformed",
                     "\"" + std::string(key) + "\" is " + what);
}

std::string asked_of(const WebRequest& request, const char* key) {
  const auto found = request.query.find(key);
  return found == request.query.end() ? "" : found->second;
}

// The number that the query has under `key`, or `missing` if it does not have the key. Nullopt: an
// empty value or any other text that is no number.
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

void HttpApi::read_accounts(const Waiting& waiting, Moment now) {
  const std::string& path = waiting.request.path;
  constexpr std::string_view day_root = "/api/days/", link_root = "/api/links/";
  constexpr std::string_view history = "/history";
  if (path == "/api/accounting") return answer(waiting.ticket, accounting());
  if (path == "/api/accounts/claims") return tell_open_claims(waiting, now);
  if (path == "/api/days") return tell_days(waiting);
  if (path.starts_with(day_root)) return tell_day(waiting, path.substr(day_root.size()));
  if (path == "/api/explain") return explanation_page(waiting);
  if (path == "/api/journal") return tell_journal(waiting);
  if (path == "/api/acts") return tell_acts(waiting);
  if (path == "/api/configurations") {
    return ask_accounts(waiting, [this, since = state().configuration()](const auto&) {
      return told(configurations_json(journal_, since));
    });
  }
  if (path.starts_with(link_root) && path.ends_with(history) &&
      path.size() > link_root.size() + history.size()) {
    const std::size_t length = path.size() - link_root.size() - history.size();
    return tell_history(waiting, path.substr(link_root.size(), length));
  }
  answer(waiting.ticket, web_refusal(404, "not_found", "there is nothing here"));
}

void HttpApi::ask_accounts(const Waiting& waiting, AccountingWorker::Work work) {
  accounts_->ask(waiting.badge, waiting.ticket, std::move(work));
}

// Looked for here, as the state is; told beside the turn: there may be many.
void HttpApi::tell_open_claims(const Waiting& waiting, Moment now) {
  ask_accounts(waiting, [listing = claim_listing(state().claims()), floor = state().floor(),
                         as_of = now.as_of](const auto&) {
    return told(claim_listing_json(listing, floor, as_of));
  });
}

DayTold HttpApi::told_of(const DayRecord& record, bool looks) {
  DayTold day{record, false, {}};
  if (record.is_closed() || day_report_worker_ == nullptr || !looks) return day;
  const DayReport* report = day_report_worker_->report(state(), record.day);
  if (report == nullptr) return day;
  day.is_ready = true;
  day.open_items = static_cast<std::size_t>(
      std::count_if(report->finding.items.begin(), report->finding.items.end(),
                    [](const auto& item) { return item.second.is_open; }));
  return day;
}

void HttpApi::tell_days(const Waiting& waiting) {
  const std::vector<DayRecord>& all = state().days();
  std::vector<DayTold> days;
  std::size_t looked = 0;
  for (std::size_t at = all.size(); at > 0 && days.size() < days_listed_max; --at) {
    const bool looks = !all[at - 1].is_closed() && looked < days_looked_at_max;
    looked += looks ? 1 : 0;
    days.push_back(told_of(all[at - 1], looks));
  }
  const Json today = calendar_ != nullptr ? running_day_json(state(), *calendar_) : Json();
  ask_accounts(waiting, [this, days = std::move(days), today](const auto&) {
    Json list = Json::array();
    for (const DayTold& day : days) list.push_back(day_json(journal_, day));
    return told(Json{{"today", today}, {"days", std::move(list)}});
  });
}

void HttpApi::tell_day(const Waiting& waiting, const std::string& name) {
  const auto day = parse_gaming_day(name);
  const DayRecord* record = day ? state().find_day(*day) : nullptr;
  if (record == nullptr) {
    const bool is_to_come = day && !state().days().empty() && *day > state().days().back().day;
    const Refusal no = is_to_come ? Refusal::day_not_over : Refusal::day_unknown;
    return answer(waiting.ticket, refusal(is_to_come ? 409 : 404, no));
  }
  if (day_report_worker_ == nullptr) return answer(waiting.ticket, web_busy());
  const DayTold as_told = told_of(*record, true);
  // The report as it was signed is not made anew: its bytes are.
  const auto tell = [this, as_told](const std::string& report, const Digest& digest) {
    WebResponse response;
    response.body = "{\"report\":" + report + ",\"digest\":\"" + hex(digest) +
                    "\",\"record\":" + day_json(journal_, as_told).dump() + "}\n";
    return response;
  };
  if (!record->is_closed()) {
    const DayReport* made = day_report_worker_->report(state(), *day);
    if (made == nullptr) return answer(waiting.ticket, refusal(409, Refusal::report_not_ready));
    return ask_accounts(waiting, [tell, json = made->json, digest = made->digest](const auto&) {
      return tell(json, digest);
    });
  }
  ask_accounts(waiting,
               [tell, path = day_report_worker_->path(*day),
                digest = record->report](const auto&) -> WebResponse {
                 const std::optional<std::string> report = read_file(path);
                 if (!report) return refusal(409, Refusal::report_not_ready);
                 if (sha256(*report) != digest) return refusal(409, Refusal::report_differs);
                 return tell(*report, digest);
               });
}

void HttpApi::explanation_page(const Waiting& waiting) {
  ExplainRequest asked{};
  asked.at = state().last_entry();
  if (waiting.request.query.contains("claim")) {
    const auto number = number_of(waiting.request, "claim", 0);
    const Claim* found = number ? state().find_claim(ClaimNumber(*number)) : nullptr;
    if (found == nullptr) return answer(waiting.ticket, refusal(404, Refusal::claim_unknown));
    asked.claim = found->number;
    asked.link = found->link;
    if (found->level) asked.pool = Pool::level(*found->level);
  } else {
    const auto link = state().floor().find_link(LinkId(asked_of(waiting.request, "link")));
    const auto pool =
        link ? pool_named(state().floor().link(*link), asked_of(waiting.request, "level"))
             : std::nullopt;
    if (!pool) return answer(waiting.ticket, refusal(404, Refusal::link_unknown));
    asked.link = *link;
    asked.pool = *pool;
  }
  const auto at = number_of(waiting.request, "at", asked.at.value());
  if (!at || *at == 0 || EntryNumber(*at) > asked.at) {
    return answer(waiting.ticket, refusal(404, Refusal::entry_unknown));
  }
  asked.at = EntryNumber(*at);
  ask_accounts(waiting, [this, asked, basis = explain_basis(state(), asked),
                         floor = state().floor()](const std::atomic<bool>& stops) {
    const Explanation said = explain(journal_, basis, asked, [&stops](std::uint64_t) {
      if (stops) throw Fault("the controller stops");
    });
    return told(explanation_json(said, floor, false));
  });
}

void HttpApi::tell_history(const Waiting& waiting, const std::string& link) {
  const auto place = state().floor().find_link(LinkId(link));
  const std::string level = asked_of(waiting.request, "level");
  const auto pool = place ? pool_named(state().floor().link(*place), level) : std::nullopt;
  if (!pool) return answer(waiting.ticket, refusal(404, Refusal::link_unknown));
  const auto count = number_of(waiting.request, "days", 30);
  if (!count || *count == 0 || *count > days_listed_max) {
    return answer(waiting.ticket, malformed("days", "a number from 1 to 400"));
  }
  const std::vector<DayRecord>& all = state().days();
  // One more: what a day did is the difference of two readings. Before the first day there was
  // nothing.
  const std::size_t from = all.size() > *count ? all.size() - *count - 1 : 0;
  std::vector<DayRecord> shown;
  for (std::size_t at = from; at < all.size(); ++at) {
    shown.push_back({all[at].day, all[at].ended, all[at].ends_at});
  }
  const bool is_from_opening = all.size() <= *count;
  ask_accounts(waiting,
               [this, shown = std::move(shown), place, pool, is_from_opening](const auto&) {
                 return told(history_json(journal_, shown, *place, *pool, is_from_opening));
               });
}

// "/api/claims/7/distribution": of the hit that the claim is a share of.
void HttpApi::tell_distribution(const Waiting& waiting) {
  constexpr std::string_view root = "/api/claims/", end = "/distribution";
  const std::string& path = waiting.request.path;
  const auto number =
      path.size() > root.size() + end.size()
          ? parse_number(path.substr(root.size(), path.size() - root.size() - end.size()))
          : std::nullopt;
  const Claim* claim = number ? state().find_claim(ClaimNumber(*number)) : nullptr;
  std::vector<Claim> hit = claim == nullptr ? std::vector<Claim>() : hit_of(state(), *claim);
  if (hit.empty()) {
    return answer(waiting.ticket,
                  web_refusal(404, "claim_unknown", "there is no such claim of a fund of pots"));
  }
  ask_accounts(waiting, [this, hit = std::move(hit),
                         floor = state().floor()](const std::atomic<bool>& stops) {
    return told(distribution_json(journal_, hit, floor, [&stops] { return stops.load(); }));
  });
}

void HttpApi::tell_journal(const Waiting& waiting) {
  const auto from = number_of(waiting.request, "from", 0);
  const auto most = number_of(waiting.request, "count", 50);
  if (!from || *from == 0) return answer(waiting.ticket, malformed("from", "an entry's number"));
  if (!most || *most == 0 || *most > journal_page_max) {
    return answer(waiting.ticket, malformed("count", "a number from 1 to 200"));
  }
  const JournalQuery asked{EntryNumber(*from), *most, asked_of(waiting.request, "fact")};
  ask_accounts(waiting, [this, asked, floor = state().floor()](const std::atomic<bool>& stops) {
    return told(journal_json(journal_, floor, asked, stops));
  });
}

// Of the first gaming day too, which has no day before it.
void HttpApi::tell_acts(const Waiting& waiting) {
  const auto day = parse_gaming_day(asked_of(waiting.request, "day"));
  const DayRecord* record = day ? state().find_day(*day) : nullptr;
  const bool is_today = day && calendar_ != nullptr && *day == running_day(state(), *calendar_).day;
  if (record == nullptr && !is_today) {
    return answer(waiting.ticket, refusal(404, Refusal::day_unknown));
  }
  const auto from = number_of(waiting.request, "from", 1);
  const auto most = number_of(waiting.request, "count", acts_page_max);
  if (!from || *from == 0) return answer(waiting.ticket, malformed("from", "an entry's number"));
  if (!most || *most == 0 || *most > acts_page_max) {
    return answer(waiting.ticket, malformed("count", "a number from 1 to 2000"));
  }
  const DayRecord* before = state().find_day(day->previous());
  const EntryNumber begin = before == nullptr ? EntryNumber(1) : before->ended.next();
  CommandQuery asked{std::max(begin, EntryNumber(*from)),
                     record == nullptr ? state().last_entry() : record->ended,
                     *most,
                     {}};
  for (const auto& [badge, person] : state().people()) asked.names.emplace(badge, person.name);
  ask_accounts(waiting, [this, asked = std::move(asked),
                         floor = state().floor()](const std::atomic<bool>& stops) {
    return told(acts_json(journal_, floor, asked, stops));
  });
}

}  // namespace linkmeter
