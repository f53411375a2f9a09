#include "controller/web/accounting_views.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "controller/store/config_history.h"
#include "controller/store/journal_reader.h"
#include "controller/turn/operator_reply.h"
#include "controller/view/display_names.h"
#include "controller/view/entry_json.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"
#include "proto/host/fault.h"

namespace linkmeter {
namespace {

// A page of the journal reads at most this many entries; "next" says where it stopped.
constexpr std::uint64_t entries_looked_at_max = 200'000;
constexpr std::size_t configurations_max = 1'000;

Json moment_of(const Journal& journal, EntryNumber entry) {
  if (entry == EntryNumber()) return {};
  return text(entry_at(journal, entry).recorded_at);
}

// The names of all kinds of fact.
template <typename... Facts>
Json names_of(const std::variant<Facts...>* /*kind*/) {
  return Json::array({Facts::fact_name...});
}

// The person whose act the fact is, or in whose name somebody tried it; "": none, or a table's.
Badge badge_of(const Entry& entry) {
  if (entry.origin) return Badge();
  return std::visit(
      [](const auto& fact) {
        if constexpr (requires { fact.by; }) {
          return fact.by;
        } else if constexpr (requires { fact.badge; }) {
          return fact.badge;
        } else {
          return Badge();
        }
      },
      entry.fact);
}

}  // namespace

Json day_json(const Journal& journal, const DayStatus& status) {
  const DayRecord& record = status.record;
  const char* const state = record.is_closed()      ? "closed"
                            : record.is_as_signed() ? "signed"
                                                    : "open";
  Json json{{"day", text(record.day)},
            {"ended", record.ended.value()},
            {"ends_at", text(record.ends_at)},
            {"signed_by", text_or_null(record.signed_by)},
            {"signed_at", moment_of(journal, record.signed_with)},
            {"closed_by", text_or_null(record.closed_by)},
            {"closed_at", moment_of(journal, record.closed_with)},
            {"report", record.is_signed() ? Json(hex(record.report)) : Json()},
            {"open_items", nullptr},
            {"state", state},
            {"is_ready", status.is_ready || record.is_closed()}};
  if (record.is_closed()) json["open_items"] = 0;
  if (status.open_items) json["open_items"] = *status.open_items;
  return json;
}

Json history_json(const Journal& journal, const std::vector<DayRecord>& days, LinkIndex link,
                  Pool pool, bool is_from_opening) {
  Json points = Json::array();
  std::optional<LinkBalances> before;
  for (const DayRecord& day : days) {
    Entry entry = entry_at(journal, day.ended);
    auto* ended = std::get_if<DayEnded>(&entry.fact);
    if (ended == nullptr || link.value() >= ended->reading.size()) {
      throw Fault("entry " + std::to_string(day.ended.value()) + " does not end a gaming day");
    }
    LinkBalances& book = ended->reading[link.value()].book;
    const PoolBalances& now = book.pool(pool);
    if (!before && is_from_opening) {
      before.emplace();
      before->levels.resize(book.levels.size());
    }
    if (before) {
      const PoolBalances& then = before->pool(pool);
      points.push_back(
          Json{{"day", text(day.day)},
               {"closing", text_exact(now.held)},
               {"awarded", text_exact(now.pending + now.paid - then.pending - then.paid)},
               {"seeded", text_exact(now.seeded - then.seeded)},
               {"contributed", text_exact(now.contributed - then.contributed)},
               {"handle", text_exact(book.handle() - before->handle())},
               {"paid", text_exact(now.paid - then.paid)}});
    }
    before = std::move(book);
  }
  return Json{{"points", std::move(points)}};
}

Json journal_json(const Journal& journal, const Floor& floor, const JournalQuery& query,
                  const std::atomic<bool>& stops) {
  Json list = Json::array();
  std::uint64_t looked = 0;
  std::optional<EntryNumber> next;
  journal.read(query.from, [&](const StoredEntry& stored) {
    if (list.size() >= query.count || looked >= entries_looked_at_max || stops) {
      next = stored.number;
      return false;
    }
    ++looked;
    const Entry entry = decoded(stored);
    if (query.fact.empty() || name(entry.fact) == query.fact) {
      list.push_back(Json::parse(entry_json(entry, floor, stored.hash)));
    }
    return true;
  });
  Json json{{"head", journal.head().entry.value()},
            {"entries", std::move(list)},
            {"facts", names_of(static_cast<const Fact*>(nullptr))}};
  if (next) json["next"] = next->value();
  return json;
}

Json acts_json(const Journal& journal, const Floor& floor, const CommandQuery& query,
               const std::atomic<bool>& stops) {
  Json acts = Json::array();
  std::optional<EntryNumber> next;
  journal.read(query.first, [&](const StoredEntry& stored) {
    if (stored.number > query.last) return false;
    if (stops) {
      next = stored.number;
      return false;
    }
    const Entry entry = decoded(stored);
    const Badge badge = badge_of(entry);
    if (badge.empty()) return true;
    if (acts.size() >= query.most) {
      next = stored.number;
      return false;
    }
    const auto* rejected = std::get_if<CommandRejected>(&entry.fact);
    const auto known = query.names.find(badge);
    acts.push_back(
        Json{{"entry", entry.number.value()},
             {"at", text(entry.recorded_at)},
             {"badge", badge.text()},
             {"name", known == query.names.end() ? "" : known->second},
             {"act", rejected != nullptr ? rejected->act : std::string(name(entry.fact))},
             {"words", (rejected != nullptr ? "refused: " : "") + reply_to(entry, floor).text}});
    return true;
  });
  Json json{{"acts", std::move(acts)}};
  if (next) json["next"] = next->value();
  return json;
}

Json configurations_json(const Journal& journal, EntryNumber since) {
  Json list = Json::array();
  while (since != EntryNumber() && list.size() < configurations_max) {
    const Entry entry = entry_at(journal, since);
    const auto found = configuration_of(entry);
    if (!found)
      throw Fault("entry " + std::to_string(since.value()) + " does not make a configuration");
    list.push_back(Json{{"since", since.value()},
                        {"at", text(found->at)},
                        {"proposed_by", text_or_null(found->proposed_by)},
                        {"confirmed_by", text_or_null(found->confirmed_by)},
                        {"changes", found->changes}});
    const auto* confirmed = std::get_if<ActConfirmed>(&entry.fact);
    const auto* change =
        confirmed == nullptr ? nullptr : std::get_if<ChangeParameters>(&confirmed->act);
    // Each names the previous one, which is an earlier entry, so this ends.
    since = change != nullptr && change->since < since ? change->since : EntryNumber();
  }
  return list;
}

namespace {

bool is_pending(const Claim& claim) {
  return claim.state == ClaimState::raised || claim.state == ClaimState::validated;
}

Json listed_json(const Claim& claim, const Floor& floor, Timestamp now) {
  const std::int64_t age_us = now.microseconds() - claim.raised_at.microseconds();
  const Json level =
      claim.level ? Json(pool_name(floor, claim.link, Pool::level(*claim.level))) : Json();
  return Json{{"claim", claim.number.value()},
              {"link", link_name(floor, claim.link)},
              {"table", table_name(floor, claim.table)},
              {"line", claim.line.text()},
              {"level", level},
              {"amount", text_cents(claim.amount)},
              {"state", name(claim.state)},
              {"raised_at", moment_or_null(claim.raised_at)},
              {"entry", claim.entry.value()},
              {"age_s", is_pending(claim) ? Json(age_us / 1'000'000) : Json()}};
}

}  // namespace

ClaimListing claim_listing(const std::vector<Claim>& all) {
  ClaimListing listing;
  for (const Claim& claim : all) {
    if (!is_pending(claim)) continue;
    ++listing.pending_count;
    listing.pending_sum += claim.amount;
    if (listing.pending.size() < ClaimListing::pending_max) listing.pending.push_back(claim);
  }
  listing.settled_count = all.size() - listing.pending_count;
  for (std::size_t at = all.size(); at > 0; --at) {
    if (listing.settled.size() >= ClaimListing::settled_max) break;
    if (!is_pending(all[at - 1])) listing.settled.push_back(all[at - 1]);
  }
  return listing;
}

Json claim_listing_json(const ClaimListing& listing, const Floor& floor, Timestamp now) {
  Json claims = Json::array();
  for (const auto* part : {&listing.pending, &listing.settled}) {
    for (const Claim& claim : *part) claims.push_back(listed_json(claim, floor, now));
  }
  return Json{
      {"pending", Json{{"count", listing.pending_count}, {"sum", text_cents(listing.pending_sum)}}},
      {"settled", Json{{"count", listing.settled_count}}},
      {"claims", std::move(claims)}};
}

}  // namespace linkmeter
