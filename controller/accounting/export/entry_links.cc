#include "controller/accounting/export/entry_links.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "meters/facts/settled.h"
#include "meters/values/number.h"

namespace linkmeter {
namespace {

template <class Kind, class... Kinds>
constexpr bool is_one_of = (std::is_same_v<Kind, Kinds> || ...);

template <class Kind>
constexpr bool is_of_every_link =
    is_one_of<Kind, FloorOpened, DayEnded, ReadingTaken, DaySigned, DayClosed, HistoryRestored,
              ClockDoubted, ClockReturned, AcceptHistory, ConfirmClock>;

template <class Kind>
constexpr bool is_of_no_link =
    is_one_of<Kind, PinChanged, SignedIn, SignInFailed, Recovered, RecoveryFailed, PinsTried,
              SelfChecked, ClockChanged, HeadSigned, WriterChanged, AddPerson, RemovePerson,
              SetRoles, ResetPin, Enrol, Revoke, ReplaceKey, NewRecoveryCodes, LeaveCluster>;

class EntryLinks {
 public:
  EntryLinks(const Entry& entry, const State& state) : entry_(entry), state_(state) {
    for (const Posting& posting : entry.postings) found_.insert(posting.link);
    const Settled outcome = settled(entry);
    for (const JackpotHit& hit : *outcome.hits) found_.insert(hit.link);
    for (const auto* awards : {outcome.awards, outcome.envy_paid, outcome.reversed}) {
      for (const Award& award : *awards) found_.insert(award.link);
    }
    for (const auto* claims : {&outcome.rejected, &outcome.undone, &outcome.deferred}) {
      for (const ClaimNumber one : *claims) claim(one);
    }
    std::visit(*this, entry.fact);
  }
  [[nodiscard]] std::set<LinkIndex> found() const { return found_; }

  // Facts and acts that name what they are about: a claim, a slip, links, wagers or a table. A kind
  // that names none of these does not compile before it has an overload below.
  template <class Kind>
  void operator()(const Kind& one) {
    if constexpr (requires { one.claim; }) {
      claim(one.claim);
    } else if constexpr (requires { one.slip; }) {
      slip(one.slip);
    } else if constexpr (requires { one.link; }) {
      link(one.link);
    } else if constexpr (requires { one.wagers; }) {
      for (const PlacedWager& wager : one.wagers) link(wager.link);
    } else if constexpr (requires { one.table; }) {
      table(one.table);
    } else if constexpr (requires { one.round; }) {
      if (entry_.origin) table(entry_.origin->table);
    } else if constexpr (is_of_every_link<Kind>) {
      every();
    } else {
      static_assert(is_of_no_link<Kind>, "which links is it about?");
    }
  }
  void operator()(const MessageRefused&) {
    if (entry_.origin) table(entry_.origin->table);
  }
  void operator()(const CountersReported& reported) {
    for (const LinkCount& count : reported.reported) link(count.link);
    for (const LinkCount& count : reported.counted) link(count.link);
  }
  void operator()(const VarianceExplained& explained) { item(explained.item); }
  void operator()(const ActProposed& proposed) { std::visit(*this, proposed.act); }
  void operator()(const ActConfirmed& confirmed) { std::visit(*this, confirmed.act); }
  void operator()(const CommandRejected& refused) {
    item(refused.about);
    named(refused.about.substr(0, refused.about.find(' ')));
  }
  void operator()(const ResumeLinks& resume) {
    for (const ResumeLinks::Suspended& one : resume.links) link(one.link);
  }
  void operator()(const TransferMeter& transfer) {
    link(transfer.from);
    link(transfer.to);
  }
  void operator()(const Discontinue& end) {
    link(end.link);
    link(end.to);
  }
  void operator()(const ChangeParameters& change) {
    for (const std::string& line : change.changes) changed(line.substr(0, line.find(' ')));
    if (change.changes.empty()) every();
  }

 private:
  // A house's links, and the tables of each, are those of entry 1 for ever.
  [[nodiscard]] const Floor& floor() const { return state_.floor(); }
  void every() {
    for (std::uint32_t at = 0; at < floor().links.size(); ++at) found_.emplace(at);
  }
  void table(TableIndex place) {
    for (const LinkIndex one : floor().links_of(place)) found_.insert(one);
  }
  void table(const TableId& id) {
    if (const auto place = state_.find_table(id)) table(*place);
  }
  void link(LinkIndex place) { found_.insert(place); }
  void link(const LinkId& id) { named(id.text()); }
  void claim(ClaimNumber number) {
    if (const Claim* const one = state_.find_claim(number)) found_.insert(one->link);
  }
  void slip(SlipNumber number) {
    if (const Slip* const one = state_.find_slip(number)) claim(one->claim);
  }
  bool named(const std::string& id) {
    const auto place = floor().find_link(LinkId(id));
    if (place) found_.insert(*place);
    return place.has_value();
  }
  // The first word of a line of changes.
  void changed(const std::string& subject) {
    const auto place = state_.find_table(TableId(subject));
    if (place) table(*place);
    if (!named(subject) && !place) every();
  }
  // An item of a day's report (day_variances.cc): "count/C4-MEGA/C4-01", "claim/4",
  // "counters/C4-01/C4-MEGA". A name may have slashes of its own.
  void item(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return;
    const std::string_view kind = text.substr(0, slash);
    const std::string_view rest = text.substr(slash + 1);
    const auto number = parse_number(rest);
    if (kind == "claim" && number) return claim(ClaimNumber(*number));
    for (std::uint32_t at = 0; at < floor().links.size(); ++at) {
      const std::string id = floor().links[at].id.text();
      const bool is_first = rest == id || rest.starts_with(id + "/");
      if (kind == "counters" ? rest.ends_with("/" + id) : is_first) found_.emplace(at);
    }
  }

  const Entry& entry_;
  const State& state_;
  std::set<LinkIndex> found_;
};

}  // namespace

std::set<LinkIndex> links_of(const Entry& entry, const State& state) {
  return EntryLinks(entry, state).found();
}

}  // namespace linkmeter
