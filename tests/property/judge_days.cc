#include "tests/property/judge_days.h"

#include "tests/property/judge.h"

namespace linkmeter {

namespace {

struct DifferDay {
  const Verdict& expected;
  const NaiveDaySaid& said;

  template <class Asked>
  const Asked* asked() const {
    return expected.asked ? std::get_if<Asked>(&expected.asked->act) : nullptr;
  }
  Difference by(const Badge& found) const { return differ("by", expected.badge, found.text()); }
  Difference reading(const Reading& reading) const {
    if (Difference no = differ("links read", said.books.size(), reading.size())) return no;
    for (std::size_t link = 0; link < reading.size(); ++link) {
      if (said.shown[link] != reading[link].shown) return "other signs";
      Difference no = within([link] { return "reading of link " + std::to_string(link); },
                             difference_of_book(said.books[link], reading[link].book));
      if (no) return no;
    }
    return std::nullopt;
  }

  template <class Other>
  Difference operator()(const Other&) const {
    return "nobody said it";
  }
  Difference operator()(const DayEnded& fact) const {
    if (said.day != fact.day || said.ends_at != fact.ends_at) return "another day";
    return reading(fact.reading);
  }
  Difference operator()(const ReadingTaken& fact) const {
    const auto* take = asked<TakeReading>();
    if (take == nullptr || take->note != fact.note || said.seen != fact.seen) return "other words";
    return first_of({reading(fact.reading), by(fact.by)});
  }
  Difference operator()(const CountersReported& fact) const {
    if (said.reported != fact.reported) return "the table told something else";
    if (said.counted != fact.counted) return "the journal counted something else";
    return first_of({differ("table", said.table, fact.table.value()),
                     differ("from", said.from, fact.from.value()),
                     differ("up to", said.up_to, fact.up_to.value())});
  }
  Difference operator()(const CountRecorded& fact) const {
    const auto* record = asked<RecordCount>();
    if (record == nullptr || record->day != fact.day || record->kind != fact.kind ||
        record->amount != fact.amount || record->note != fact.note ||
        record->witness != fact.witness || record->notice != fact.notice ||
        record->recording != fact.recording || record->table.empty() == fact.table.has_value()) {
      return "another count";
    }
    return by(fact.by);
  }
  Difference operator()(const VarianceExplained& fact) const {
    const auto* explain = asked<ExplainVariance>();
    if (explain == nullptr || explain->day != fact.day || explain->item != fact.item ||
        explain->difference != fact.difference || explain->note != fact.note ||
        explain->corrected_by != fact.corrected_by) {
      return "another explanation";
    }
    return by(fact.by);
  }
  Difference operator()(const DaySigned& fact) const {
    const auto* sign = asked<SignDay>();
    if (sign == nullptr || sign->day != fact.day || sign->report != fact.report) {
      return "another signature";
    }
    return by(fact.by);
  }
  Difference operator()(const DayClosed& fact) const {
    const auto* close = asked<CloseDay>();
    if (close == nullptr || close->day != fact.day || close->report != fact.report) {
      return "another signature";
    }
    return by(fact.by);
  }
};

Difference differ_day(const NaiveDay& naive, const DayRecord& record) {
  if (naive.day != record.day || naive.ends_at != record.ends_at) return "another day";
  if (naive.report != record.report) return "another report";
  for (std::size_t at = 0; at < naive.facts.size() && at < record.facts.size(); ++at) {
    if (naive.facts[at] != record.facts[at].value()) return "another entry about it";
  }
  return first_of({differ("ended", naive.ended, record.ended.value()),
                   differ("entries about it", naive.facts.size(), record.facts.size()),
                   differ("signed by", naive.signed_by, record.signed_by.text()),
                   differ("signed with", naive.signed_with, record.signed_with.value()),
                   differ("stands", naive.stands(), record.is_as_signed()),
                   differ("closed by", naive.closed_by, record.closed_by.text()),
                   differ("closed with", naive.closed_with, record.closed_with.value())});
}

}  // namespace

Difference difference_of_day(const Verdict& expected, const Fact& fact) {
  return std::visit(DifferDay{expected, expected.of_day.value_or(NaiveDaySaid{})}, fact);
}

Difference difference_of_days(const NaiveModel& model, const State& state) {
  if (Difference no = differ("days", model.days().size(), state.days().size())) return no;
  for (std::size_t at = 0; at < model.days().size(); ++at) {
    Difference no = within([at] { return "day " + std::to_string(at + 1); },
                           differ_day(model.days()[at], state.days()[at]));
    if (no) return no;
  }
  return std::nullopt;
}

}  // namespace linkmeter
