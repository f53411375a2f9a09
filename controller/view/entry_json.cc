#include "controller/view/entry_json.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "controller/store/hash_chain.h"
#include "controller/view/json.h"
#include "controller/view/place_names.h"
#include "meters/game/card.h"
#include "meters/state/claim.h"
#include "meters/values/hex.h"
#include "meters/values/time_text.h"

namespace linkmeter {

namespace {

// Adds a fact's fields to its entry's object.
class FactFields {
 public:
  FactFields(const Floor& floor, Json& entry) : floor_(floor), entry_(entry) {}

  void operator()(const FloorOpened& opened) const {
    entry_["house"] = opened.floor.house;
    Json links = Json::array();
    for (const LinkConfig& link : opened.floor.links) links.push_back(link.id.text());
    entry_["links"] = links;
    Json tables = Json::array();
    for (const TableConfig& table : opened.floor.tables) tables.push_back(table.id.text());
    entry_["tables"] = tables;
    Json people = Json::array();
    for (const Person& person : opened.people) {
      Json roles = Json::array();
      for (const Role role : person.roles) roles.push_back(name(role));
      people.push_back(Json{{"badge", person.badge.text()},
                            {"name", person.name},
                            {"department", name(person.department)},
                            {"roles", std::move(roles)},
                            {"pin_is_given", person.pin_is_given}});
    }
    entry_["people"] = std::move(people);
    entry_["floor_file"] = opened.floor_text;
  }
  void operator()(const RoundLocked& locked) const {
    head(locked.round, locked.by);
    entry_["wagers"] = wagers(locked.wagers);
    if (locked.chips) entry_["chips"] = *locked.chips;
  }
  void operator()(const CountMismatched& differed) const {
    head(differed.round, differed.by);
    entry_["wagers"] = wagers(differed.wagers);
    entry_["chips"] = differed.chips;
    entry_["chips_expected"] = differed.chips_expected;
  }
  void operator()(const CountResolved& resolved) const {
    head(resolved.round, resolved.by);
    entry_["wagers"] = wagers(resolved.wagers);
  }
  void operator()(const HandsShown& shown) const {
    head(shown.round, shown.by);
    hands(shown.hands, false);
    if (!shown.dealer.empty()) entry_["dealer"] = cards_json(shown.dealer);
    if (!shown.board.empty()) entry_["board"] = cards_json(shown.board);
    if (shown.draw) {
      entry_["draw"] = draw_json(shown.draw);
    }
    settled(shown.calls, shown.awards);
  }
  void operator()(const HandCorrected& corrected) const {
    entry_["table"] = table_name(floor_, corrected.table);
    head(corrected.round, corrected.by);
    entry_["corrects"] = corrected.corrects.value();
    entry_["seat"] = corrected.seat.value();
    entry_["was"] =
        Json{{"cards", cards_json(corrected.old_cards)}, {"folded", corrected.old_folded}};
    entry_["cards"] = cards_json(corrected.cards);
    entry_["folded"] = corrected.folded;
    if (corrected.is_no_hand()) entry_["no_hand"] = true;
    entry_["reason"] = name(corrected.reason);
    entry_["note"] = corrected.note;
    settled(corrected.calls, corrected.awards);
    entry_["reversed"] = awards(corrected.reversed);
    rejected(corrected.rejected);
  }
  void operator()(const DealerCorrected& corrected) const {
    entry_["table"] = table_name(floor_, corrected.table);
    head(corrected.round, corrected.by);
    entry_["corrects"] = corrected.corrects.value();
    entry_["was"] = Json{{"dealer", cards_json(corrected.old_cards)},
                         {"board", cards_json(corrected.old_board)},
                         {"draw", draw_json(corrected.old_draw)}};
    entry_["dealer"] = cards_json(corrected.cards);
    entry_["board"] = cards_json(corrected.board);
    entry_["draw"] = draw_json(corrected.draw);
    entry_["reason"] = name(corrected.reason);
    entry_["note"] = corrected.note;
    settled(corrected.calls, corrected.awards);
    entry_["reversed"] = awards(corrected.reversed);
    rejected(corrected.rejected);
  }
  void operator()(const PotCorrected& corrected) const {
    entry_["table"] = table_name(floor_, corrected.table);
    head(corrected.round, corrected.by);
    entry_["corrects"] = corrected.corrects.value();
    entry_["link"] = link_name(floor_, corrected.link);
    entry_["pot"] = text_cents(corrected.pot);
    hands(corrected.old_hands, true);
    entry_["was"] = Json{{"board", cards_json(corrected.old_board)},
                         {"showdown", corrected.old_showdown},
                         {"hands", entry_["hands"]}};
    entry_["board"] = cards_json(corrected.board);
    entry_["showdown"] = corrected.showdown;
    hands(corrected.hands, true);
    entry_["reason"] = name(corrected.reason);
    entry_["note"] = corrected.note;
    settled(corrected.calls, corrected.awards);
    rejected(corrected.rejected);
  }
  void operator()(const RoundClosed& closed) const { head(closed.round, closed.by); }
  void operator()(const RoundVoided& voided) const {
    head(voided.round, voided.by);
    entry_["reason"] = voided.reason;
    entry_["returned"] = wagers(voided.returned);
    entry_["take_back"] = awards(voided.reversed);
    rejected(voided.rejected);
  }
  void operator()(const HandVoided& voided) const {
    head(voided.round, voided.by);
    entry_["seat"] = voided.seat.value();
    entry_["reason"] = voided.reason;
    entry_["returned"] = wagers(voided.returned);
    entry_["take_back"] = awards(voided.reversed);
    rejected(voided.rejected);
  }
  void operator()(const PotPlayed& pot) const {
    head(pot.round, pot.by);
    entry_["link"] = link_name(floor_, pot.link);
    entry_["pot"] = text_cents(pot.pot);
    entry_["contribution"] = text_cents(pot.contribution);
    entry_["board"] = cards_json(pot.board);
    entry_["showdown"] = pot.showdown;
    hands(pot.hands, true);
    settled(pot.calls, pot.awards);
  }
  void operator()(const MessageRefused& no) const {
    entry_["refusal"] = name(no.refusal);
    entry_["sentence"] = sentence(no.refusal);
  }
  void operator()(const ClaimValidated& validated) const {
    entry_["claim"] = validated.claim.value();
    entry_["by"] = validated.by.text();
    if (validated.posts_notice) entry_["pending_adjustment"] = true;
    if (!validated.notified.empty()) entry_["notified"] = validated.notified.text();
    if (!validated.envy.empty()) entry_["paid"] = awards(validated.envy);
  }
  void operator()(const ClaimPaid& paid) const {
    entry_["claim"] = paid.claim.value();
    entry_["source"] = name(paid.source);
    entry_["slip"] = paid.slip == SlipNumber() ? Json() : Json(paid.slip.value());
    entry_["by"] = paid.by.text();
  }
  void operator()(const ClaimCountersigned& countersigned) const {
    entry_["claim"] = countersigned.claim.value();
    entry_["by"] = countersigned.by.text();
  }
  void operator()(const SlipIssued& issued) const {
    entry_["slip"] = issued.slip.value();
    entry_["claim"] = issued.claim.value();
    entry_["source"] = name(issued.source);
    entry_["amount"] = text_cents(issued.amount);
    entry_["wager"] = text_cents(issued.wager);
    entry_["taxable"] = issued.taxable;
    entry_["threshold"] = nullptr;
    if (issued.threshold) {
      entry_["threshold"] = Json{{"since", issued.threshold->date},
                                 {"amount", text_cents(issued.threshold->amount)},
                                 {"ratio", issued.threshold->ratio}};
    }
    entry_["by"] = issued.by.text();
  }
  void operator()(const SlipVoided& voided) const {
    entry_["slip"] = voided.slip.value();
    entry_["reason"] = name(voided.reason);
    entry_["note"] = voided.note;
    entry_["by"] = voided.by.text();
  }
  void operator()(const SlipStored& stored) const {
    entry_["slip"] = stored.slip.value();
    entry_["digest"] = hex(stored.digest);
  }
  void operator()(const NoticePosted& notice) const {
    entry_["link"] = link_name(floor_, notice.link);
    entry_["posted"] = notice.posted;
    entry_["by"] = notice.by.text();
  }
  void operator()(const ClaimRejected& rejected) const {
    entry_["claim"] = rejected.claim.value();
    entry_["reason"] = name(rejected.reason);
    entry_["note"] = rejected.note;
    entry_["restored"] = rejected.restored;
    // Jackpot hits, each by the lowest number of its claims.
    const auto calls = [](const std::vector<ClaimNumber>& claims) {
      Json list = Json::array();
      for (const ClaimNumber claim : claims) list.push_back(claim.value());
      return list;
    };
    entry_["undone"] = calls(rejected.calls.undone);
    entry_["deferred"] = calls(rejected.calls.deferred);
    entry_["by"] = rejected.by.text();
    if (!rejected.envy.empty()) entry_["paid"] = awards(rejected.envy);
    if (!rejected.reversed.empty()) entry_["take_back"] = awards(rejected.reversed);
  }
  void operator()(const LinkSuspended& suspended) const {
    entry_["link"] = link_name(floor_, suspended.link);
    entry_["note"] = suspended.note;
    entry_["by"] = suspended.by.text();
  }
  void operator()(const TableFrozen& frozen) const {
    entry_["table"] = floor_.table(frozen.table).id.text();
    entry_["note"] = frozen.note;
    entry_["by"] = frozen.by.text();
  }
  void operator()(const PinChanged& changed) const { entry_["by"] = changed.by.text(); }
  void operator()(const SignedIn& signed_in) const { entry_["by"] = signed_in.badge.text(); }
  void operator()(const SignInFailed& failed) const {
    entry_["by"] = failed.badge.text();
    if (failed.locked_until) {
      const bool ends = *failed.locked_until != until_new_pin;
      entry_["locked_until"] = ends ? Json(text(*failed.locked_until)) : Json("new_pin");
    }
  }
  void operator()(const Recovered& recovered) const {
    entry_["badge"] = recovered.badge.text();
    entry_["codes"] = recovered.codes;
  }
  void operator()(const RecoveryFailed& failed) const {
    entry_["badge"] = failed.badge.text();
    entry_["wait_until"] = text(failed.wait_until);
  }
  void operator()(const PinsTried& counted) const {
    Json tries = Json::array();
    for (const PinsTried::Tries& one : counted.tries) {
      tries.push_back(Json{{"badge", one.badge.text()}, {"count", one.count}});
    }
    entry_["tries"] = std::move(tries);
  }
  void operator()(const ActProposed& proposed) const {
    entry_["proposal"] = proposed.proposal.value();
    entry_["summary"] = summary(proposed.act);
    parameters(proposed.act);
    entry_["by"] = proposed.by.text();
  }
  void operator()(const ActConfirmed& confirmed) const {
    entry_["proposal"] = confirmed.proposal.value();
    entry_["summary"] = summary(confirmed.act);
    entry_["proposed_by"] = confirmed.proposed_by.text();
    entry_["by"] = confirmed.by.text();
    parameters(confirmed.act);
  }
  void operator()(const SelfChecked& checked) const {
    entry_["passed"] = checked.failures.empty();
    Json failures = Json::array();
    for (const SelfChecked::Failure& failure : checked.failures) {
      failures.push_back(Json{{"check", failure.check}, {"words", failure.words}});
    }
    entry_["failures"] = std::move(failures);
    entry_["manifest"] = checked.manifest == Digest{} ? Json() : Json(hex(checked.manifest));
    entry_["verified"] = checked.verified.value();
    entry_["head"] = hex(checked.head);
    entry_["quick"] = checked.quick;
    entry_["version"] = checked.version;
    entry_["clock_synchronised"] = checked.clock_synchronised;
  }
  void operator()(const ClockChanged& changed) const { entry_["by_us"] = changed.by_us; }
  void operator()(const ClockDoubted& doubted) const {
    entry_["fault"] = name(doubted.fault);
    entry_["by_us"] = doubted.by_us;
  }
  void operator()(const ClockReturned& returned) const {
    entry_["doubted"] = returned.doubted.value();
  }
  void operator()(const HeadSigned& signing) const {
    entry_["head"] = signing.head.value();
    entry_["head_hash"] = hex(signing.hash);
    entry_["key"] = hex(signing.key);
    entry_["signature"] = hexadecimal(signing.signature);
  }
  void operator()(const HistoryRestored& restored) const {
    entry_["ended_with"] = restored.ended_with.value();
    entry_["ended_with_hash"] = hex(restored.hash);
    entry_["restored_at"] = text(restored.restored_at);
    entry_["backup_made_at"] = text(restored.backup_made_at);
  }
  template <class DayFact>
  void operator()(const DayFact& fact) const {
    add_day_fact(fact, floor_, entry_);
  }
  void operator()(const CommandRejected& no) const {
    entry_["act"] = no.act;
    entry_["refusal"] = name(no.refusal);
    entry_["sentence"] = sentence(no.refusal);
    entry_["by"] = no.by.text();
    if (!no.about.empty()) entry_["about"] = no.about;
  }

 private:
  void parameters(const DualControlCommand& act) const {
    const auto* change = std::get_if<ChangeParameters>(&act);
    if (change == nullptr) return;
    entry_["since"] = change->since.value();
    entry_["changes"] = change->changes;
    entry_["floor_file"] = change->floor_text;
  }
  void head(const RoundId& round, const Badge& by) const {
    entry_["round"] = round.text();
    if (!by.empty()) entry_["by"] = by.text();
  }
  [[nodiscard]] Json wagers(const std::vector<PlacedWager>& placed) const {
    Json list = Json::array();
    for (const PlacedWager& wager : placed) {
      Json one{{"seat", wager.seat.value()},
               {"link", link_name(floor_, wager.link)},
               {"amount", text_cents(wager.amount)}};
      if (wager.on_dealer) one["on"] = "dealer";
      list.push_back(std::move(one));
    }
    return list;
  }
  void hands(const std::vector<ShownHand>& shown, bool with_won) const {
    Json list = Json::array();
    for (const ShownHand& hand : shown) {
      Json one{
          {"seat", hand.seat.value()}, {"cards", cards_json(hand.cards)}, {"folded", hand.folded}};
      if (with_won) one["won"] = text_cents(hand.won);
      if (hand.keyed) one["keyed_line"] = hand.keyed->text();
      list.push_back(std::move(one));
    }
    entry_["hands"] = std::move(list);
  }
  static Json draw_json(const std::optional<Draw>& draw) {
    if (!draw) return nullptr;
    Json told = Json::object();
    if (draw->magic) told["magic"] = text(*draw->magic);
    if (draw->seat) told["seat"] = draw->seat->value();
    return told;
  }
  static Json numbers(const std::vector<ClaimNumber>& claims) {
    Json list = Json::array();
    for (const ClaimNumber claim : claims) list.push_back(claim.value());
    return list;
  }
  void rejected(const RejectedClaims& claims) const {
    entry_["rejected"] = numbers(claims.claims);
    entry_["undone"] = numbers(claims.calls.undone);
    entry_["deferred"] = numbers(claims.calls.deferred);
  }
  void settled(const std::vector<JackpotHit>& calls, const std::vector<Award>& all) const {
    Json called = Json::array();
    for (const JackpotHit& call : calls) {
      called.push_back(Json{{"link", link_name(floor_, call.link)},
                            {"level", pool_name(floor_, call.link, Pool::level(call.level))},
                            {"whole", call.whole},
                            {"amount", text_cents(call.amount)},
                            {"stood", text_exact(call.stood)}});
    }
    entry_["calls"] = std::move(called);
    entry_["awards"] = awards(all);
  }
  [[nodiscard]] Json awards(const std::vector<Award>& awards) const {
    Json list = Json::array();
    for (const Award& award : awards) {
      const Json level =
          award.level ? Json(pool_name(floor_, award.link, Pool::level(*award.level))) : Json();
      Json one{{"kind", name(award.kind)},
               {"link", link_name(floor_, award.link)},
               {"seat", award.seat.value()},
               {"holder", award.holder ? Json(award.holder->value()) : Json(nullptr)},
               {"line", award.line.text()},
               {"level", level},
               {"amount", text_cents(award.amount)},
               {"claim", award.claim ? Json(award.claim->value()) : Json(nullptr)}};
      if (award.on_dealer) one["on"] = "dealer";
      if (award.uncut) one["uncut"] = text_cents(*award.uncut);
      if (award.source) one["source"] = name(*award.source);
      if (award.waits_for) one["waits_for"] = award.waits_for->value();
      list.push_back(std::move(one));
    }
    return list;
  }

  const Floor& floor_;
  Json& entry_;
};

}  // namespace

std::string entry_json(const Entry& entry, const Floor& floor, const Digest& hash) {
  Json line{{"entry", entry.number.value()},
            {"fact", name(entry.fact)},
            {"recorded_at", text(entry.recorded_at)}};
  if (entry.origin) {
    line["table"] = table_name(floor, entry.origin->table);
    line["message"] = entry.origin->number.value();
    line["digest"] = hex(entry.origin->digest);
    line["sent_at"] = text(entry.origin->sent_at);
  }
  std::visit(FactFields(floor, line), entry.fact);
  Json postings = Json::array();
  for (const Posting& posting : entry.postings) {
    postings.push_back(Json{{"link", link_name(floor, posting.link)},
                            {"level", pool_name(floor, posting.link, posting.pool)},
                            {"account", name(posting.account)},
                            {"amount", text_exact(posting.amount)}});
  }
  line["postings"] = std::move(postings);
  line["hash"] = hex(hash);
  // Texts from outside may hold invalid UTF-8: it is replaced, never an error.
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

namespace {

Json pool_json(std::string name, const PoolBalances& pool) {
  return Json{{"level", std::move(name)},
              {"amount", text_exact(pool.held)},
              {"withheld", text_exact(pool.withheld)},
              {"pending", text_exact(pool.pending)},
              {"paid", text_exact(pool.paid)},
              {"contributed", text_exact(pool.contributed)},
              {"seeded", text_exact(pool.seeded)},
              {"corrected", text_exact(pool.corrected)},
              {"transferred", text_exact(pool.transferred)},
              {"overflowed", text_exact(pool.overflowed)}};
}

Json counts_json(const std::vector<LinkCount>& counts, const Floor& floor) {
  Json list = Json::array();
  for (const LinkCount& count : counts) {
    list.push_back(Json{{"link", link_name(floor, count.link)},
                        {"rounds", count.rounds},
                        {"wagers", count.wagers},
                        {"handle", text_cents(count.handle)}});
  }
  return list;
}

}  // namespace

Json reading_json(const Reading& reading, const Floor& floor) {
  Json list = Json::array();
  for (std::uint32_t at = 0; at < reading.size(); ++at) {
    const LinkIndex place(at);
    const LinkReading& link = reading[at];
    Json levels = Json::array();
    for (std::size_t level = 0; level < link.book.levels.size(); ++level) {
      const LevelBalances& book = link.book.levels[level];
      Json one = pool_json(
          pool_name(floor, place, Pool::level(LevelIndex(static_cast<std::uint8_t>(level)))),
          book.pool);
      one["hits"] = book.hits;
      one["partial_hits"] = book.partial_hits;
      one["shown"] = cents_or_null(link.shown[level]);
      levels.push_back(std::move(one));
    }
    Json tables = Json::array();
    for (const TableCount& count : link.book.tables) {
      tables.push_back(Json{{"table", table_name(floor, count.table)},
                            {"rounds", count.rounds},
                            {"wagers", count.wagers},
                            {"handle", text_cents(count.handle)},
                            {"attendant_paid", text_cents(count.paid.by_attendant)},
                            {"device_paid", text_cents(count.paid.by_device)},
                            {"progressive_paid", text_cents(count.paid.in_all)}});
    }
    list.push_back(Json{{"link", link_name(floor, place)},
                        {"suspended", text_or_null(link.book.suspended)},
                        {"levels", std::move(levels)},
                        {"reserve", pool_json("reserve", link.book.reserve)},
                        {"tables", std::move(tables)}});
  }
  return list;
}

void add_day_fact(const DayEnded& ended, const Floor& floor, Json& entry) {
  entry["day"] = text(ended.day);
  entry["ends_at"] = text(ended.ends_at);
  entry["reading"] = reading_json(ended.reading, floor);
}

void add_day_fact(const ReadingTaken& taken, const Floor& floor, Json& entry) {
  entry["reading"] = reading_json(taken.reading, floor);
  Json seen = Json::array();
  for (const SeenAmount& one : taken.seen) {
    seen.push_back(Json{{"link", link_name(floor, one.link)},
                        {"level", pool_name(floor, one.link, Pool::level(one.level))},
                        {"amount", text_cents(one.amount)}});
  }
  entry["seen"] = std::move(seen);
  entry["note"] = taken.note;
  entry["by"] = taken.by.text();
}

void add_day_fact(const CountersReported& told, const Floor& floor, Json& entry) {
  entry["table"] = table_name(floor, told.table);
  entry["from_message"] = told.from.value();
  entry["up_to_message"] = told.up_to.value();
  entry["told"] = counts_json(told.told, floor);
  entry["counted"] = counts_json(told.counted, floor);
}

void add_day_fact(const CountRecorded& count, const Floor& floor, Json& entry) {
  entry["day"] = text(count.day);
  entry["kind"] = name(count.kind);
  entry["link"] = link_name(floor, count.link);
  entry["table"] = count.table ? Json(table_name(floor, *count.table)) : Json();
  entry["amount"] = text_cents(count.amount);
  entry["note"] = count.note;
  entry["witness"] = count.witness.text();
  entry["by"] = count.by.text();
  if (!count.notice.empty()) entry["notice"] = count.notice;
  if (!count.recording.empty()) entry["recording"] = count.recording;
}

void add_day_fact(const FundMoved& moved, const Floor& floor, Json& entry) {
  entry["day"] = text(moved.day);
  entry["link"] = link_name(floor, moved.link);
  entry["tables"] = Json::array();
  for (const TableIndex table : moved.tables) {
    entry["tables"].push_back(table_name(floor, table));
  }
  entry["verified"] = moved.verified ? Json(text_cents(*moved.verified)) : Json();
  entry["note"] = moved.note;
  entry["carried_by"] = moved.carried_by.text();
  entry["accounted_by"] = moved.accounted_by.text();
  entry["by"] = moved.by.text();
}

void add_day_fact(const DisplayAdjusted& adjusted, const Floor& floor, Json& entry) {
  entry["link"] = link_name(floor, adjusted.link);
  entry["shown"] = text_cents(adjusted.shown);
  entry["kept"] = text_cents(adjusted.kept);
  entry["note"] = adjusted.note;
  entry["witness"] = adjusted.witness.text();
  entry["by"] = adjusted.by.text();
}

void add_day_fact(const VarianceExplained& explained, const Floor&, Json& entry) {
  entry["day"] = text(explained.day);
  entry["item"] = explained.item;
  entry["difference"] = explained.difference;
  entry["note"] = explained.note;
  entry["corrected_by"] = explained.corrected_by ? Json(explained.corrected_by->value()) : Json();
  entry["by"] = explained.by.text();
}

void add_day_fact(const DaySigned& first, const Floor&, Json& entry) {
  entry["day"] = text(first.day);
  entry["report"] = hex(first.report);
  entry["by"] = first.by.text();
}

void add_day_fact(const DayClosed& closed, const Floor&, Json& entry) {
  entry["day"] = text(closed.day);
  entry["report"] = hex(closed.report);
  entry["by"] = closed.by.text();
}

}  // namespace linkmeter
