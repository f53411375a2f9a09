#include "tests/year/year_house.h"

#include <stdexcept>
#include <utility>
#include <variant>

#include "meters/rules/decide_restoration.h"
#include "meters/values/invariant.h"
#include "proto/codec/journal_codec.h"
#include "proto/codec/state_codec.h"
#include "table-agent/round/secure_random.h"
#include "tests/support/staff.h"

namespace linkmeter {
namespace {

constexpr std::size_t entries_per_commit = 1'000;

[[noreturn]] void fail(const std::string& what, Refusal refusal) {
  throw std::runtime_error(what + " is refused: " + std::string(name(refusal)));
}

}  // namespace

std::vector<Person> year_staff() {
  std::vector<Person> staff = standard_staff();
  staff.push_back(person_of("A-1", Department::finance, {Role::accountant}));
  staff.push_back(person_of("SEC-1", Department::security, {Role::security_officer}));
  return staff;
}

YearHouse::YearHouse(Journal& journal, FloorFile floor, GamingDay first, std::uint64_t seed)
    : YearHouse(journal, std::move(floor), first, seed, Opened()) {}

YearHouse::YearHouse(Journal& journal, FloorFile floor, GamingDay first, std::uint64_t seed, Opened)
    : journal_(journal),
      file_(std::move(floor)),
      calendar_(file_.timezone, file_.gaming_day_start),
      tables_(file_.floor.tables.size()),
      today_(first),
      now_(calendar_.begin(first)) {
  if (journal_.head().entry == EntryNumber()) {
    FloorOpened opened{file_.floor, file_.text, file_.catalogue_texts};
    opened.people = year_staff();
    enter(open_floor(std::move(opened), now_));
  } else {
    journal_.read(EntryNumber(1), [this](const StoredEntry& stored) {
      state_.apply(decode_entry(stored.bytes).value());
      return true;
    });
    state_.forget_changes();
  }
  for (std::uint32_t at = 0; at < tables_.size(); ++at) {
    const TableIndex place(at);
    tables_[at].play.emplace(
        TableOffers::at(file_.floor, file_.rules, place),
        DealDriver::Plan{seed + at, std::nullopt, 0}, "",
        BonusDraw(BonusDraw::terms_at(file_.floor, file_.rules, place), SecureRandom()));
    for (const LinkIndex link : file_.floor.links_of(place)) {
      tables_[at].counts[link] = LinkCount{link, 0, 0, {}};
    }
  }
}

void YearHouse::enter(const Entry& entry) {
  state_.apply(entry);
  entries_.push_back(encode(entry));
  if (entries_.size() >= entries_per_commit) commit();
}

void YearHouse::commit() {
  if (entries_.empty()) return;
  journal_.commit(entries_, rows_for(state_, state_.take_changes()));
  entries_.clear();
}

void YearHouse::say(TableIndex table, TableCommand command, Timestamp sent_at) {
  TableMessage message{floor().table(table).id,
                       state_.session(table).last_number().next(),
                       {},
                       sent_at,
                       std::move(command)};
  message.digest[0] = static_cast<std::uint8_t>(message.number.value());
  const Decision decision = decide(state_, file_.rules, message, now_);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) fail("a message", *refusal);
  const Entry& entry = std::get<Entry>(decision);
  if (const auto* no = std::get_if<MessageRefused>(&entry.fact)) fail("a message", no->refusal);
  count(table, message.command);
  enter(entry);
}

// Counts as the table itself does: its commands that were not refused.
void YearHouse::count(TableIndex table, const TableCommand& command) {
  if (const auto* lock = std::get_if<LockRound>(&command)) {
    locked_[lock->round] = lock->wagers;
    count_wagers(table, lock->wagers, false);
  } else if (const auto* annul = std::get_if<VoidRound>(&command)) {
    count_wagers(table, locked_[annul->round], true);
  } else if (const auto* pot = std::get_if<PlayPot>(&command)) {
    for (auto& [link, counts] : tables_[table.value()].counts) {
      ++counts.rounds;
      const std::optional<PotConfig>& terms = floor().link(link).pot;
      if (!terms || pot->pot < terms->minimum_pot || stopped_.contains(link)) continue;
      ++counts.wagers;
      counts.handle += terms->contribution;
      tables_[table.value()].box += terms->contribution;
      last_links_.insert(link);
    }
  }
}

void YearHouse::count_wagers(TableIndex table, const std::vector<AskedWager>& wagers, bool back) {
  for (auto& [link, counts] : tables_[table.value()].counts) {
    back ? --counts.rounds : ++counts.rounds;
    const LinkConfig& terms = floor().link(link);
    for (const AskedWager& wager : wagers) {
      if (wager.wager != terms.wager || !terms.takes(wager.amount)) continue;
      back ? --counts.wagers : ++counts.wagers;
      counts.handle += back ? -wager.amount : wager.amount;
      last_links_.insert(link);
    }
  }
}

void YearHouse::deal(TableIndex table, std::optional<Timestamp> sent_at, bool claims_wait) {
  Dealing& dealing = tables_[table.value()];
  const std::size_t claims_before = state_.claims().size();
  last_links_.clear();
  locked_.clear();
  for (TableCommand& command : dealing.play->deal(++dealing.round)) {
    say(table, std::move(command), sent_at.value_or(now_));
  }
  if (claims_wait) return;
  for (const ClaimNumber claim : open_claims()) {
    if (claim.value() > claims_before) settle(claim);
  }
}

std::vector<ClaimNumber> YearHouse::open_claims() const {
  std::vector<ClaimNumber> open;
  const std::vector<Claim>& all = state_.claims();
  for (std::size_t at = all.size(); at > 0 && open.size() < 100; --at) {
    if (all.size() - at > 1'000) break;  // older ones are settled
    if (all[at - 1].state == ClaimState::raised) open.push_back(all[at - 1].number);
  }
  return open;
}

void YearHouse::settle(ClaimNumber claim) {
  const Claim& raised = *state_.find_claim(claim);
  const bool is_of_pots = floor().link(raised.link).pot.has_value();
  const Amount amount = raised.amount;
  act(is_of_pots ? "PSS-1" : "F-1", ValidateClaim{claim});
  if (step_for(floor().second_signature, amount) != nullptr) act("TGM-1", CountersignClaim{claim});
  act("C-1", IssueSlip{claim, PaymentSource::hand_pay});
  act("C-1", PayClaim{claim, PaymentSource::hand_pay, SlipNumber(state_.slips().size())});
}

void YearHouse::reject(ClaimNumber claim) {
  const bool is_of_pots = floor().link(state_.find_claim(claim)->link).pot.has_value();
  act(is_of_pots ? "PSS-1" : "F-1", RejectClaim{claim, RejectReason::hand_misread, "misread"});
}

void YearHouse::act(const std::string& badge, OperatorCommand act, const DayFinding* finding) {
  const ShownAmounts shown = true_signs();
  PersonMessage message{Badge(badge), std::move(act)};
  message.finding = finding;
  message.shown = &shown;
  message.is_witnessed = true;
  const Decision decision = decide(state_, file_.rules, message, now_);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) fail(badge + "'s act", *refusal);
  const Entry& entry = std::get<Entry>(decision);
  if (const auto* no = std::get_if<CommandRejected>(&entry.fact)) {
    fail(badge + "'s " + no->act, no->refusal);
  }
  enter(entry);
}

void YearHouse::dual(const DualControlCommand& act) {
  this->act("TGM-1", Propose{act});
  this->act("FM-1", Confirm{state_.last_proposal(), summary(state_.proposals().back().act)});
}

void YearHouse::note(Fact fact) {
  enter(Entry{state_.last_entry().next(), now_, std::nullopt, std::move(fact), {}});
}

void YearHouse::restore_backup() {
  commit();
  const Head head = journal_.head();
  note(HistoryRestored{head.entry, head.hash, now_, now_});
  dual(waiting_restoration(state_)->to_accept());
}

void YearHouse::stop_collecting(LinkIndex link) {
  dual(StopCollecting{floor().link(link).id, "it ends"});
  stopped_.insert(link);
}

void YearHouse::suspend_by_itself(LinkIndex link, const std::string& why) {
  enter(std::get<Entry>(decide(state_, file_.rules, SelfSuspension{link, why}, now_)));
}

ShownAmounts YearHouse::true_signs() const {
  ShownAmounts shown;
  for (std::uint32_t at = 0; at < floor().links.size(); ++at) {
    shown.emplace_back();
    for (const LevelBalances& level : state_.link(LinkIndex(at)).levels) {
      shown.back().emplace_back(level.pool.held.whole_cents());
    }
  }
  return shown;
}

void YearHouse::end_day(std::optional<ShownAmounts> shown) {
  const Timestamp ends_at = calendar_.end(today_);
  now_ = ends_at;
  const DayEnd end{today_, ends_at, shown ? std::move(*shown) : true_signs()};
  const Decision decision = decide(state_, file_.rules, end, now_);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) fail("the day's end", *refusal);
  enter(std::get<Entry>(decision));
  today_ = today_.next();
}

void YearHouse::tell_counters(TableIndex table) {
  TableCounters counters{table, MessageNumber(1), state_.session(table).last_number(), {}};
  for (const auto& [link, count] : tables_[table.value()].counts)
    counters.reported.push_back(count);
  const Decision decision = decide(state_, file_.rules, counters, now_);
  if (const auto* refusal = std::get_if<Refusal>(&decision)) fail("counters", *refusal);
  enter(std::get<Entry>(decision));
}

void YearHouse::lose_a_wager(TableIndex table, LinkIndex link) {
  --tables_[table.value()].counts.at(link).wagers;
}

Amount YearHouse::take_box(TableIndex table) {
  return std::exchange(tables_[table.value()].box, Amount());
}

}  // namespace linkmeter
