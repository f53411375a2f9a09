// NaiveModel: how a progressive ends.

#include "tests/property/naive_person_message.h"

namespace linkmeter {

bool NaiveModel::PersonMessageDecision::waits(std::uint32_t link) const {
  for (const NaiveTable& table : model.tables_) {
    for (const auto& [id, round] : table.rounds) {
      for (const NaiveWager& wager : round.wagers) {
        if (wager.link == link) return true;
      }
    }
  }
  return false;
}

// Money cannot move between pots and tables, nor from a fund without the Board's approval.
void NaiveModel::PersonMessageDecision::check_way(std::uint32_t from,
                                                  std::optional<std::uint32_t> to) {
  const NaiveTerms& terms = model.terms_[from];
  if (to && model.terms_[*to].of_pots != terms.of_pots) no.insert(Refusal::not_alike);
  if (to && model.books_[*to].stopped) no.insert(Refusal::collecting_ended);
  const bool is_approved = !terms.of_pots || terms.given.pot->discontinuation != "";
  if (!is_approved && to != from) no.insert(Refusal::procedure_not_approved);
}

void NaiveModel::PersonMessageDecision::check(const StopCollecting& act) {
  check_note(act.note);
  const auto link = find_link(act.link);
  if (link && model.books_[*link].stopped) no.insert(Refusal::collecting_ended);
}

void NaiveModel::PersonMessageDecision::check(const Discontinue& act) {
  check_note(act.note);
  const auto link = find_link(act.link);
  std::optional<Place> to;
  if (!act.to.empty()) {
    to = find_place(act.to, act.to_level);
    if (to && is_a_grave(*to)) no.insert(Refusal::link_unknown);
  }
  if (no.count(Refusal::link_unknown) != 0) return;
  const NaiveBook& book = model.books_[*link];
  if (waits(*link)) no.insert(Refusal::link_has_open_rounds);
  if (to && to->link == *link) no.insert(Refusal::same_meter);
  if (!book.stopped) no.insert(Refusal::still_collecting);
  check_way(*link, to ? std::optional(to->link) : std::nullopt);
  for (const NaiveClaim& claim : model.claims_) {
    const bool is_over =
        claim.step == NaiveClaim::Step::paid || claim.step == NaiveClaim::Step::rejected;
    if (claim.link == *link && !is_over) no.insert(Refusal::link_has_open_claims);
  }
  if (book.gone) no.insert(Refusal::link_ended);
  if (!to && of_players(*link).first > 0) no.insert(Refusal::to_house);
  if (to) check_room(act, {{*link, -1}, *to});
}

// The players' money, and the part of it that is shown but not funded.
std::pair<Exact, Exact> NaiveModel::PersonMessageDecision::of_players(std::uint32_t link) const {
  const NaiveBook& book = model.books_[link];
  Exact real = 0;
  Exact empty = 0;
  for (int level = -1; level < static_cast<int>(book.levels.size()); ++level) {
    const NaivePool& pool = level < 0 ? book.reserve : book.levels[static_cast<std::size_t>(level)];
    const Exact held = pool.held - book.of_house(model.terms_[link], level);
    const Exact theirs = held > pool.withheld ? held - pool.withheld : 0;
    real += theirs;
    if (level >= 0) empty += held - theirs;
  }
  return {real, empty};
}

void NaiveModel::PersonMessageDecision::perform(const StopCollecting& act) {
  model.books_[*find_link(act.link)].stopped = true;
}

void NaiveModel::PersonMessageDecision::perform(const Discontinue& act) {
  const std::uint32_t link = *find_link(act.link);
  const auto [real, empty] = of_players(link);
  NaiveBook& book = model.books_[link];
  const auto end = [&](NaivePool& pool, Exact house) {
    const Exact theirs = pool.held - house > pool.withheld ? pool.held - house - pool.withheld : 0;
    // The rest is the house's, or owed by the house.
    pool.seeded -= pool.held - pool.withheld - theirs;
    pool.transferred -= theirs;
    pool.held = pool.withheld = 0;
  };
  for (std::size_t level = 0; level < book.levels.size(); ++level) {
    end(book.levels[level], book.of_house(model.terms_[link], static_cast<int>(level)));
  }
  if (book.reserve.withheld > book.reserve.held) {  // the house makes it up, through a level
    const Exact lack = book.reserve.withheld - book.reserve.held;
    book.levels.at(0).seeded += lack;
    book.levels.at(0).transferred -= lack;
    book.reserve.held += lack;
    book.reserve.transferred += lack;
  }
  end(book.reserve, 0);
  book.gone = true;
  if (act.to.empty()) return;
  const Place to = *find_place(act.to, act.to_level);
  book.heir = {to.link, to.level};
  model.books_[to.link].take_over(model.terms_[to.link], to.level, real + empty, empty);
}

}  // namespace linkmeter
