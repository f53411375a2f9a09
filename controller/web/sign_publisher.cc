#include "controller/web/sign_publisher.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <utility>
#include <vector>

#include "controller/time/local_time.h"
#include "controller/view/claim_json.h"
#include "controller/view/meters_json.h"
#include "controller/web/paytable_json.h"
#include "meters/values/amount.h"
#include "meters/values/invariant.h"
#include "meters/values/time_text.h"

namespace linkmeter {

namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::size_t settled_max = 20;

bool is_settled(const Claim& claim) {
  return claim.state == ClaimState::paid || claim.state == ClaimState::rejected;
}

Timestamp settled_at(const Claim& claim) {
  return claim.state == ClaimState::paid ? claim.paid_at : claim.rejected_at;
}

Json lines_json(const LinkConfig& terms, const LinkRules& rules, std::size_t level) {
  Json lines = Json::array();
  if (terms.pot) {  // a Bad Beat: the hand that loses wins the meter
    const PokerThreshold& least = terms.pot->qualifying;
    lines.push_back(Json{{"line", name(least.category)}, {"pays", "100%"}, {"or_better", true}});
    if (!least.ranks.empty()) lines.back()["hand"] = threshold_words(least);
    return lines;
  }
  for (const Line& line : rules.paytable.lines) {
    if (line.pays.kind != Pays::Kind::meter || line.pays.level.value() != level) continue;
    lines.push_back(Json{{"line", line.id.text()}, {"pays", text(line.pays.share)}});
  }
  return lines;
}

// Returns the rules of a fund of pots, as the house posts them (§ 553.20(b)), or null for any other
// link.
Json fund_json(const LinkConfig& terms) {
  if (!terms.pot) return nullptr;
  Json parts = Json::object();
  for (const LevelConfig& level : terms.levels) parts[level.id.text()] = text(level.rate);
  parts["reserve"] = text(terms.reserve_rate);
  return Json{{"contribution", text_cents(terms.pot->contribution)},
              {"minimum_pot", text_cents(terms.pot->minimum_pot)},
              {"qualifying", name(terms.pot->qualifying.category)},
              {"qualifying_hand", threshold_words(terms.pot->qualifying)},
              {"split", Json{{"losing_hand", text(terms.pot->losing_hand)},
                             {"winning_hand", text(terms.pot->winning_hand)},
                             {"table", text(terms.pot->table)}}},
              {"parts", std::move(parts)},
              {"reseed", text_cents(terms.levels.front().reseed)}};
}

// Returns the text of the JSON. It replaces invalid UTF-8. In place of the age it has a mark, which
// the server replaces by the age whenever it sends the text.
std::string dumped(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::string_view unknown = "\"age_ms\":null";
  const std::size_t at = text.find(unknown);
  if (at != std::string::npos) {
    text.replace(at, unknown.size(), "\"age_ms\":" + std::string(web_age_mark));
  }
  return text;
}

}  // namespace

SignPublisher::SignPublisher(const State& state, const FloorRules& rules,
                             const TablePresence& presence, Notices notices, Publish publish)
    : state_(state),
      rules_(rules),
      presence_(presence),
      notices_(std::move(notices)),
      publish_(std::move(publish)),
      awards_(state),
      links_(state.floor().links.size()) {
  notices_.links.resize(links_.size());
  for (const Claim& claim : state.claims()) {
    if (is_settled(claim)) settled_.push_back(claim.number);
    if (!is_settled(claim)) open_.insert(claim.number);
  }
  seen_ = state.claims().size();
  std::sort(settled_.begin(), settled_.end(), [&state](ClaimNumber left, ClaimNumber right) {
    return settled_at(*state.find_claim(left)) > settled_at(*state.find_claim(right));
  });
  if (settled_.size() > settled_max) settled_.resize(settled_max);
}

void SignPublisher::note(const std::set<LinkIndex>& changed, const std::vector<ClaimNumber>& raised,
                         Moment now) {
  for (const LinkIndex link : changed) links_[link.value()].changed = true;
  if (!changed.empty()) floor_.changed = true;
  std::set<LinkIndex> won;
  for (const ClaimNumber number : raised) {
    const Claim* claim = state_.find_claim(number);
    INVARIANT(claim != nullptr);
    awards_.note(*claim);
    won.insert(claim->link);
  }
  for (const LinkIndex link : won) publish_sign(link, now);
  if (!won.empty()) publish_floor(now);
}

void SignPublisher::note(const std::map<TableIndex, bool>& calls_floor) {
  for (const auto& [table, calls] : calls_floor) {
    if (calls == calling_.contains(table)) continue;
    if (calls) {
      calling_.insert(table);
    } else {
      calling_.erase(table);
    }
    floor_.changed = true;
  }
}

void SignPublisher::note(const std::vector<TablePresence::Change>& changes) {
  for (const TablePresence::Change& change : changes) {
    calling_.erase(change.table);  // the table's next heartbeat reports it again
    for (std::uint32_t at = 0; at < links_.size(); ++at) {
      if (state_.floor().link(LinkIndex(at)).has_table(change.table)) links_[at].changed = true;
    }
    floor_.changed = true;
  }
}

void SignPublisher::serve(Moment now) {
  for (std::uint32_t at = 0; at < links_.size(); ++at) {
    if (links_[at].due() <= now.uptime) publish_sign(LinkIndex(at), now);
  }
  if (floor_.due() <= now.uptime) publish_floor(now);
}

milliseconds SignPublisher::time_until_due(microseconds uptime) const {
  microseconds due = floor_.due();
  for (const Publishing& link : links_) due = std::min(due, link.due());
  return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(due - uptime));
}

Json SignPublisher::with_cluster(Json document) const {
  if (!cluster_) return document;
  Json cluster = cluster_();
  for (const char* of_nodes_page : {"nodes", "etcd"}) cluster.erase(of_nodes_page);
  document.update(cluster);
  return document;
}

void SignPublisher::publish_sign(LinkIndex index, Moment now) {
  Publishing& link = links_[index.value()];
  publish_(topic_of(state_.floor().link(index).id), "meter",
           dumped(with_cluster(sign(index, now.as_of))), state_.last_entry().value());
  link.changed = false;
  link.published = now.uptime;
}

// Publishes the part of GET /api/meters that comes before the links.
void SignPublisher::publish_head(Moment now) {
  std::string head = dumped(with_cluster(Json{{"entry", state_.last_entry().value()},
                                              {"as_of", text(now.as_of)},
                                              {"age_ms", nullptr},
                                              {"maximum_age_ms", maximum_age.count()},
                                              {"house", state_.floor().house}}));
  head.back() = ',';
  publish_("meters", "meters", std::move(head), state_.last_entry().value());
}

void SignPublisher::publish_nodes(Moment now) {
  if (!cluster_) return;
  const auto as_of = Timestamp::from_microseconds(now.as_of.microseconds() + now.behind.count());
  Json document{{"entry", state_.last_entry().value()},
                {"as_of", text(as_of)},
                {"age_ms", nullptr},
                {"maximum_age_ms", maximum_age.count()},
                {"house", state_.floor().house}};
  document.update(cluster_());
  publish_(nodes_topic, "nodes", dumped(document), state_.last_entry().value());
}

// Also publishes the nodes, and the head of GET /api/meters, so that the head is as new as the
// newest link. Who has the head of a node can read the nodes.
void SignPublisher::publish_floor(Moment now) {
  publish_nodes(now);
  publish_head(now);
  update_claims();
  publish_(floor_topic, "floor", dumped(with_cluster(floor(now.as_of))),
           state_.last_entry().value());
  floor_.changed = false;
  floor_.published = now.uptime;
}

void SignPublisher::update_claims() {
  for (; seen_ < state_.claims().size(); ++seen_) open_.insert(state_.claims()[seen_].number);
  for (auto at = open_.begin(); at != open_.end();) {
    const Claim* claim = state_.find_claim(*at);
    if (claim == nullptr || !is_settled(*claim)) {
      ++at;
      continue;
    }
    settled_.push_front(*at);
    if (settled_.size() > settled_max) settled_.pop_back();
    at = open_.erase(at);
  }
}

Json SignPublisher::table_json(TableIndex table) const {
  const TablePresence::Table presence = presence_.table(table);
  const TableConfig& terms = state_.floor().table(table);
  const bool is_frozen = !state_.session(table).frozen().empty();
  return Json{{"table", terms.id.text()},
              {"asset", terms.asset},
              {"state", is_frozen ? "frozen" : name(presence.standing)},
              {"since", moment_or_null(presence.since)}};
}

// Returns who froze the table and why, or null if it is not frozen. Only staff may see this, so no
// sign shows it.
Json frozen_json(const TableSession& session) {
  if (session.frozen().empty()) return nullptr;
  return Json{{"why", session.frozen()}, {"by", text_or_null(session.frozen_by().text())}};
}

// Returns a jackpot hit, or null if there is no claim.
Json SignPublisher::award(const LinkConfig& terms, const Claim* claim, Timestamp as_of) const {
  if (claim == nullptr) return nullptr;
  const std::int64_t since_us = as_of.microseconds() - claim->raised_at.microseconds();
  const AwardHit call = award_hit_of(state_, *claim);
  const TableConfig& table = state_.floor().table(claim->table);
  Json json{{"claim", claim->number.value()},
            {"table", table.id.text()},
            {"asset", table.asset},
            {"seat", claim->seat.value()},
            {"line", claim->line.text()},
            {"level", claim->level ? Json(terms.levels[claim->level->value()].id.text()) : Json()},
            {"amount", text_cents(call.amount)},
            {"share", nullptr},
            {"seats", Json::array()},
            {"state", name(call.state)},
            {"raised_at", moment_or_null(claim->raised_at)},
            {"since_ms", std::max<std::int64_t>(0, since_us / 1'000)},
            {"new_amount", nullptr}};
  if (call.new_amount) json["new_amount"] = text_cents(call.new_amount->whole_cents());
  if (call.claims.size() == 1) return json;
  json["share"] = text_cents(claim->amount);
  for (const Claim* part : call.claims) {
    json["seats"].push_back(
        Json{{"seat", part->seat.value()}, {"amount", text_cents(part->amount)}});
  }
  return json;
}

Json SignPublisher::sign(LinkIndex link, Timestamp as_of) const {
  const Floor& floor = state_.floor();
  const LinkConfig& terms = floor.link(link);
  const LinkRules& rules = rules_.link(link);
  const LinkBalances& book = state_.link(link);
  Json json{{"link", terms.id.text()},
            {"house", floor.house},
            {"game", terms.tables.empty() ? "" : rules_.game(terms.tables.front()).title},
            {"progressive", rules.wager.title},
            {"wager", terms.wager.text()},
            {"unit", cents_or_null(terms.unit)},
            {"minimum", cents_or_null(terms.minimum)},
            {"maximum", cents_or_null(terms.maximum)},
            {"sequence", state_.last_entry().value()},
            {"as_of", text(as_of)},
            {"age_ms", nullptr},
            {"maximum_age_ms", maximum_age.count()},
            {"status", book.suspended.empty() ? "operating" : "suspended"},
            {"reason", text_or_null(book.suspended)},
            {"pending_adjustment", book.pending_adjustment},
            {"fund", fund_json(terms)},
            {"levels", Json::array()},
            {"tables", Json::array()}};
  add_lifecycle(json, book.ending, floor);
  add_paytable(json, terms, rules);
  for (std::size_t at = 0; at < book.levels.size(); ++at) {
    json["levels"].push_back(Json{{"level", terms.levels[at].id.text()},
                                  {"amount", text_cents(book.levels[at].pool.held.whole_cents())},
                                  {"limit", cents_or_null(terms.levels[at].limit)},
                                  {"lines", lines_json(terms, rules, at)}});
  }
  for (const TableIndex table : terms.tables) json["tables"].push_back(table_json(table));
  json["last_award"] = award(terms, awards_.last(link), as_of);
  json["awards"] = Json::array();
  for (const Claim* claim : awards_.of_meters(link, as_of)) {
    json["awards"].push_back(award(terms, claim, as_of));
  }
  json["notices"] = notices_.house;
  for (const std::string& notice : notices_.links[link.value()]) {
    json["notices"].push_back(notice);
  }
  return json;
}

Json SignPublisher::summary(ClaimNumber number, Timestamp as_of) const {
  const Claim& claim = *state_.find_claim(number);
  return claim_summary(state_, claim, rules_.link(claim.link), as_of);
}

Json SignPublisher::floor(Timestamp as_of) const {
  Json json{{"sequence", state_.last_entry().value()},
            {"as_of", text(as_of)},
            {"age_ms", nullptr},
            {"maximum_age_ms", maximum_age.count()},
            {"claims", Json::array()},
            {"recent", Json::array()},
            {"links", Json::array()},
            {"tables", Json::array()},
            {"signs", serial_signs_ ? serial_signs_(as_of) : Json::array()}};
  for (const ClaimNumber number : open_) {
    json["claims"].push_back(summary(number, as_of));
  }
  for (const ClaimNumber number : settled_) {
    json["recent"].push_back(summary(number, as_of));
  }
  for (std::uint32_t at = 0; at < links_.size(); ++at) {
    const LinkBalances& book = state_.link(LinkIndex(at));
    json["links"].push_back(Json{{"link", state_.floor().link(LinkIndex(at)).id.text()},
                                 {"status", book.suspended.empty() ? "operating" : "suspended"},
                                 {"reason", text_or_null(book.suspended)},
                                 {"pending_adjustment", book.pending_adjustment}});
    add_lifecycle(json["links"].back(), book.ending, state_.floor());
  }
  for (std::uint32_t at = 0; at < state_.floor().tables.size(); ++at) {
    Json table = table_json(TableIndex(at));
    table["frozen"] = frozen_json(state_.session(TableIndex(at)));
    table["calls_floor"] = calling_.contains(TableIndex(at));
    table["blocked_rounds"] = Json::array();
    for (const Round& round : state_.session(TableIndex(at)).rounds()) {
      if (round.blocked) table["blocked_rounds"].push_back(round.id.text());
    }
    json["tables"].push_back(std::move(table));
  }
  return json;
}

namespace {

// Returns "royal flush" for "royal_flush".
std::string in_words(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// Returns "$50,000.90" for "50000.90".
std::string in_dollars(const std::string& amount) { return money_text(amount); }

std::string wager_words(const Json& update) {
  if (update.at("unit").is_string()) return in_dollars(update.at("unit")) + " wager";
  if (!update.at("minimum").is_string()) return "";
  return in_dollars(update.at("minimum")) + " to " + in_dollars(update.at("maximum")) + " wager";
}

// Whether the update is too old. A sign then does not show its amount.
bool is_stale(const Json& update) {
  const Json& age = update.at("age_ms");
  return age.is_number() && age > update.at("maximum_age_ms");
}

std::string ended_words(const Json& update) {
  const Json& to = update.at("went_to");
  if (!to.is_object()) return "This progressive has ended";
  return "This progressive has ended; its amount was moved to " + to.at("link").get<std::string>() +
         " " + to.at("level").get<std::string>();
}

std::string notice_words(const Json& update) {
  if (is_stale(update)) return "Amount not available";
  if (update.at("discontinued").get<bool>()) return ended_words(update);
  if (update.at("status") != "operating") {
    return "Suspended: " + update.at("reason").get<std::string>();
  }
  if (update.at("pending_adjustment").get<bool>()) return "Pending adjustment";
  return update.at("collecting").get<bool>() ? "" : "No more wagers are taken";
}

// Returns "Straight flush" for "straight_flush".
std::string as_title(const std::string& name) {
  std::string title = in_words(name);
  if (!title.empty()) {
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  }
  return title;
}

// Joins the parts that are not empty: "Table C4-01 \u00b7 T-1041".
std::string with_dots(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    if (!part.empty() && !text.empty()) text += " \u00b7 ";
    text += part;
  }
  return text;
}

std::string place_words(const Json& award) {
  return with_dots({"Table " + award.at("table").get<std::string>(), award.at("asset")});
}

std::string seat_words(const Json& award) {
  const Json& seats = award.at("seats");
  if (seats.empty()) return "Seat " + award.at("seat").dump();
  std::vector<int> numbers;
  for (const Json& one : seats) numbers.push_back(one.at("seat").get<int>());
  std::sort(numbers.begin(), numbers.end());
  std::string text = "Seats";
  for (const int number : numbers) {
    text += (number == numbers.front() ? " " : ", ") + std::to_string(number);
  }
  return text + ", shared";
}

std::string state_words(const Json& award) {
  const std::string state = award.at("state");
  return state == "raised" ? "Pending" : state == "validated" ? "Verified" : "Paid";
}

void add_levels(const Json& update, SignImage& image) {
  for (const Json& level : update.at("levels")) {
    std::string won_by;
    for (const Json& line : level.at("lines")) {
      won_by += (won_by.empty() ? "" : ", ") + in_words(line.at("line")) +
                (line.contains("or_better") ? " or better, beaten, " : " ") +
                line.at("pays").get<std::string>();
    }
    image.levels.push_back({level.at("level"), in_dollars(level.at("amount")), won_by});
  }
}

// Shows the latest win in large letters for half a minute, as the page does. Every other win that
// is not settled gets a line.
void add_wins(const Json& update, SignImage& image) {
  constexpr std::int64_t large_ms = 30'000;
  constexpr std::size_t lines_max = 3;
  for (const Json& award : update.at("awards")) {
    const std::string state = award.at("state");
    if (state == "rejected") continue;
    const bool is_fresh = award.at("since_ms").get<std::int64_t>() < large_ms;
    const std::string amount = in_dollars(award.at("amount"));
    const std::string line = as_title(award.at("line"));
    if (is_fresh && !image.win) {
      const bool has_levels = update.at("levels").size() > 1;
      const std::string level = has_levels ? as_title(award.at("level")) : std::string();
      image.win =
          SignImage::Win{with_dots({line, level}), amount,
                         with_dots({place_words(award), seat_words(award)}), state_words(award)};
    } else if (state != "paid" && image.lines.size() < lines_max) {
      image.lines.push_back(with_dots({line, place_words(award), amount, state_words(award)}));
    }
  }
}

}  // namespace

std::optional<std::pair<int, int>> sign_image_size(const std::string& text) {
  if (text == "1920x1080") return std::pair(1'920, 1'080);
  if (text == "3840x2160") return std::pair(3'840, 2'160);
  if (text == "1080x1920") return std::pair(1'080, 1'920);
  return std::nullopt;
}

SignImage sign_image_of(const Json& update, const std::string& zone) {
  SignImage image;
  image.house = update.at("house");
  image.title = update.at("game").get<std::string>() + " \u00b7 " +
                update.at("progressive").get<std::string>();
  image.wager = wager_words(update);
  image.notice = notice_words(update);
  if (!is_stale(update)) {
    if (!update.at("discontinued").get<bool>()) add_levels(update, image);
    add_wins(update, image);
  }
  image.tables = "Tables";
  for (const Json& table : update.at("tables")) {
    image.tables += " " + table.at("table").get<std::string>();
    if (table.at("state") != "linked") image.tables += " (out of service)";
  }
  const std::string as_of = update.at("as_of");
  const std::optional<Timestamp> moment = parse_moment(as_of);
  image.as_of = "as of " + (moment ? local_text(*moment, zone) : as_of) + " \u00b7 entry " +
                std::to_string(update.at("sequence").get<std::uint64_t>());
  return image;
}

}  // namespace linkmeter
