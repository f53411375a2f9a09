// State::apply(): applies a fact to the state, one short function per fact.
#include <algorithm>

#include "meters/floor/configuration.h"
#include "meters/rules/clock_trust.h"
#include "meters/rules/decide.h"
#include "meters/rules/decide_restoration.h"
#include "meters/rules/discontinuation.h"
#include "meters/state/claim.h"
#include "meters/state/pace.h"
#include "meters/state/state.h"
#include "meters/values/invariant.h"
#include "meters/values/limits.h"

namespace linkmeter {

// The changes of each fact besides the balances, which only postings change.
struct State::Applying {
  State& state;
  const Entry& entry;

  [[nodiscard]] TableIndex table() const { return entry.origin->table; }
  [[nodiscard]] TableSession& session() const { return state.sessions_[table().value()]; }
  void touch_round(const RoundId& id) const { state.changes_.rounds.try_emplace({table(), id}); }
  void open_round(Round round) const {
    state.changes_.note_opened(table(), round.id);
    session().open_round(std::move(round));
  }

  // Counts a round on every link of the table, and each wager on its own link. `times` is -1 when a
  // void reverses them; `rounds` is 0 when the round continues.
  void count(const std::vector<PlacedWager>& wagers, int times, int rounds) const {
    for (const auto& [link, at] : state.index_.parts_of(table())) {
      TableCount& count = state.links_[link.value()].tables[at];
      INVARIANT(count.table == table());
      count.rounds += static_cast<std::uint64_t>(rounds);
      for (const PlacedWager& wager : wagers) {
        if (wager.link != link) continue;
        count.wagers += static_cast<std::uint64_t>(times);
        count.handle += times < 0 ? -wager.amount : wager.amount;
      }
      state.changes_.links.insert(link);
    }
  }

  // The amount that the level has diverted to the reserve, including this entry's postings. No
  // entry has a hit before an overflow, so this is also the amount at the hit.
  [[nodiscard]] Amount overflowed(LinkIndex link, LevelIndex level) const {
    Amount total = state.links_[link.value()].levels[level.value()].pool.overflowed;
    for (const Posting& posting : entry.postings) {
      const bool is_its = posting.account == Account::overflow && posting.link == link &&
                          posting.pool == Pool::level(level);
      if (is_its) total += posting.amount;
    }
    return total;
  }

  // `round`: nullptr for a pot.
  void record(const Round* round, const std::vector<JackpotHit>& hits,
              const std::vector<Award>& awards) const {
    std::vector<std::uint64_t> hit_numbers;  // of each hit, on its level
    for (const JackpotHit& hit : hits) {
      LevelBalances& level = state.links_[hit.link.value()].levels[hit.level.value()];
      ++(hit.whole ? level.hits : level.partial_hits);
      hit_numbers.push_back(++level.last_hit);
      state.changes_.links.insert(hit.link);
    }
    for (const Award& award : awards) {
      if (!award.claim) continue;
      INVARIANT(award.claim->value() == state.claims_.size() + 1);
      state.claims_.push_back(raised_claim(entry, award, round, hit_numbers));
      Claim& claim = state.claims_.back();
      if (claim.level) claim.overflowed = overflowed(claim.link, *claim.level);
      if (is_keyed_for_another(claim, awards)) claim.keyed = LineId();
      state.changes_.claims.insert(*award.claim);
    }
  }

  void end_round(const RoundId& id) const {
    state.changes_.note_ended_slot(table(), session().ended_count());
    session().end_round(id);
  }
  void close_round(const RoundId& id) const {
    end_round(id);
    state.changes_.note_ended(table(), id);
  }

  Claim& claim(ClaimNumber number) const {
    state.changes_.claims.insert(number);
    return state.claims_[number.value() - 1];
  }

  Slip& slip(SlipNumber number) const {
    state.changes_.slips.insert(number);
    return state.slips_[number.value() - 1];
  }

  DayRecord& day(GamingDay gaming_day) const {
    state.changes_.days.insert(gaming_day);
    return state.days_[state.place_of(gaming_day)];
  }

  // Counts awards that are paid at once.
  void count_paid(TableIndex at, const std::vector<Award>& awards, int times = 1) const {
    for (const Award& award : awards) {
      if (award.is_paid_at_once()) count_paid(at, award, times);
    }
  }
  // Counts one award that this entry pays, or reverses.
  void count_paid(TableIndex at, const Award& award, int times) const {
    const LinkConfig& terms = state.floor_.links[award.link.value()];
    if (terms.levels.empty()) return;  // not a progressive
    // Old entries do not state the source; the kind of wager determines it.
    const PaymentSource source = award.source.value_or(terms.unit ? PaymentSource::table_inventory
                                                                  : PaymentSource::game_account);
    state.links_[award.link.value()].table(at).paid.add(source, award.amount, times);
    state.changes_.links.insert(award.link);
  }
  void take_back(TableIndex at, const std::vector<Award>& reversed) const {
    for (const Award& award : reversed) count_paid(at, award, -1);
  }
  // Pays the Envy that waited for the claim.
  void pay_envy(Claim& claim, const std::vector<Award>& envy) const {
    for (const Award& award : envy) count_paid(claim.table, award, 1);
    claim.envy_paid = claim.envy_paid || !envy.empty();
  }
  void reject(const RejectedClaims& rejected, RejectReason reason, const std::string& note,
              const Badge& by) const {
    for (const ClaimNumber number : rejected.claims) reject(number, reason, note, by);
    reverse(rejected.hits);
  }

  void add(const Person& person) const {
    state.staff_.people.insert_or_assign(person.badge, person);
    state.changes_.people.insert(person.badge);
  }

  void enrol(const Enrolment& enrolment) const {
    state.staff_.enrolments.enrol(enrolment);
    state.changes_.enrolments.emplace(enrolment.kind, enrolment.name);
  }

  Person& person(const Badge& badge) const {
    state.changes_.people.insert(badge);
    return state.staff_.people.at(badge);
  }

  // `before`: the replaced PIN, if it was resealed with the key in force; "": it is taken from the
  // person.
  void set_pin(const Badge& badge, const std::string& pin, bool is_given,
               const std::string& before = {}) const {
    Person& changed = person(badge);
    changed.pin_before = before.empty() ? changed.pin : before;
    changed.pin = pin;
    changed.pin_set_by_other = is_given;
    forget_old_seal(badge);
  }
  // The old seal is no longer needed: the PIN is sealed with the key in force, or is no longer
  // valid.
  void forget_old_seal(const Badge& badge) const {
    if (state.keys_.before_pin_key.erase(badge) > 0) state.changes_.keys = true;
  }

  void operator()(const FloorOpened& opened) const {
    state.take_floor(opened.floor);
    for (std::uint32_t index = 0; index < opened.floor.links.size(); ++index) {
      state.links_.push_back(LinkBalances::opened(opened.floor.links[index]));
      state.changes_.links.insert(LinkIndex(index));
    }
    state.sessions_.resize(opened.floor.tables.size());
    for (const Person& person : opened.people) add(person);
    state.configuration_ = entry.number;
    for (const Enrolment& enrolment : opened.enrolments) enrol(enrolment);
    if (!opened.seal_key.empty()) put_in_force(KeyKind::seal, opened.seal_key);
    if (!opened.journal_key.empty()) put_in_force(KeyKind::journal, opened.journal_key);
    state.changes_.keys = true;
    if (!opened.recovery_codes.empty()) set_codes(opened.recovery_codes);
    state.changes_.floor = true;
  }

  // A round begins and uses a part of the table's pace.
  void pace() const {
    session().pace(paced_after(state.floor_.table(table()), session(), entry.recorded_at));
  }
  // The new fill mark of a message bucket, including this message (pace.h).
  [[nodiscard]] Timestamp paced_with_this(Timestamp until) const {
    return messages_paced_after(state.floor_.table(table()), until, entry.recorded_at);
  }

  void operator()(const RoundLocked& locked) const {
    pace();
    Round round;
    round.id = locked.round;
    round.wagers = locked.wagers;
    open_round(std::move(round));
    count(locked.wagers, 1, 1);
  }

  void operator()(const CountMismatched& differed) const {
    pace();
    Round round;
    round.id = differed.round;
    round.blocked = true;
    round.count_differed = true;
    round.wagers = differed.wagers;
    open_round(std::move(round));
  }

  void operator()(const CountResolved& resolved) const {
    Round& round = session().round(resolved.round);
    round.blocked = false;
    round.wagers = resolved.wagers;
    touch_round(resolved.round);
    count(resolved.wagers, 1, 1);
  }

  void operator()(const HandsShown& shown) const {
    session().pace_shows(paced_with_this(session().shows_paced_until()));
    Round& round = session().round(shown.round);
    round.show(entry.number, shown, state.floor_.table(table()).decks);
    touch_round(shown.round);
    record(&round, shown.hits, shown.awards);
    count_paid(table(), shown.awards);
  }

  void operator()(const HandCorrected& corrected) const { correct_round(corrected); }
  void operator()(const DealerCorrected& corrected) const { correct_round(corrected); }
  template <class Corrected>
  void correct_round(const Corrected& corrected) const {
    TableSession& session = state.sessions_[corrected.table.value()];
    Round& round = session.round(corrected.round);
    state.changes_.rounds.try_emplace({corrected.table, corrected.round});
    round.correct(entry.number, corrected, state.floor_.table(corrected.table).decks);
    reject(corrected.rejected, RejectReason::hand_misread, corrected.note, corrected.by);
    record(&round, corrected.hits, corrected.awards);
    count_paid(corrected.table, corrected.awards);
    take_back(corrected.table, corrected.reversed);
  }

  void operator()(const HandVoided& voided) const {
    Round& round = session().round(voided.round);
    for (const Award& award : round.all_awards()) {
      // The voided seat is no longer owed Envy.
      if (award.waits_for && award.seat == voided.seat && award.holder != voided.seat) {
        std::erase(claim(*award.waits_for).envy, award);
      }
    }
    round.void_hand(entry.number, voided);
    touch_round(voided.round);
    reject(voided.rejected, RejectReason::round_irregular, voided.reason, voided.by);
    take_back(table(), voided.reversed);
    count(voided.returned, -1, 0);
  }

  void operator()(const RoundClosed& closed) const { close_round(closed.round); }
  void operator()(const RoundVoided& voided) const {
    if (!session().round(voided.round).blocked) count(voided.returned, -1, -1);
    reject(voided.rejected, RejectReason::round_irregular, voided.reason, voided.by);
    take_back(table(), voided.reversed);
    close_round(voided.round);
  }

  void operator()(const PotPlayed& pot) const {
    pace();
    std::vector<PlacedWager> contributions;
    if (pot.contribution > Amount()) {
      contributions.push_back(PlacedWager{Seat(), pot.link, pot.contribution});
    }
    count(contributions, 1, 1);
    record(nullptr, pot.hits, pot.awards);
    count_paid(table(), pot.awards);
    end_round(pot.round);
    const std::size_t slot = session().add_pot({pot.round, entry.number, pot.link, pot.pot,
                                                pot.board, pot.showdown, pot.hands, pot.awards});
    state.changes_.pots.insert({table(), slot});
  }

  void operator()(const PotCorrected& corrected) const {
    TableSession& session = state.sessions_[corrected.table.value()];
    const std::size_t slot = session.slot_of_pot(corrected.round);
    PlayedPot& pot = session.pot_at(slot);
    pot.entry = entry.number;
    pot.board = corrected.board;
    pot.showdown = corrected.showdown;
    pot.hands = corrected.hands;
    pot.awards = corrected.awards;
    ++pot.corrections;
    state.changes_.pots.insert({corrected.table, slot});
    reject(corrected.rejected, RejectReason::hand_misread, corrected.note, corrected.by);
    record(nullptr, corrected.hits, corrected.awards);
  }

  void operator()(const MessageRefused&) const {
    session().pace_refusals(paced_with_this(session().refusals_paced_until()));
  }
  void operator()(const ClaimValidated& validated) const {
    Claim& changed = claim(validated.claim);
    changed.state = ClaimState::validated;
    changed.validated_at = entry.recorded_at;
    changed.validated_by = validated.by;
    if (validated.posts_notice) post(changed.link, true);
    pay_envy(changed, validated.envy);
  }

  void operator()(const ClaimPaid& paid) const {
    Claim& changed = claim(paid.claim);
    changed.state = ClaimState::paid;
    changed.paid_at = entry.recorded_at;
    changed.paid_by = paid.by;
    changed.source = paid.source;
    if (!state.floor_.links[changed.link.value()].levels.empty()) {
      state.links_[changed.link.value()].table(changed.table).paid.add(paid.source, changed.amount);
      state.changes_.links.insert(changed.link);
    }
    if (paid.slip == SlipNumber()) return;  // the entry predates slips
    Slip& used = slip(paid.slip);
    used.state = SlipState::paid;
    used.paid_at = entry.recorded_at;
    used.paid_by = paid.by;
  }

  void operator()(const ClaimCountersigned& countersigned) const {
    Claim& changed = claim(countersigned.claim);
    changed.countersigned_at = entry.recorded_at;
    changed.countersigned_by = countersigned.by;
  }

  void operator()(const SlipIssued& issued) const {
    INVARIANT(issued.slip.value() == state.slips_.size() + 1);
    Slip made{issued.slip,   entry.number, issued.claim,   issued.source,
              issued.amount, issued.wager, issued.taxable, issued.threshold};
    made.issued_at = entry.recorded_at;
    made.issued_by = issued.by;
    state.slips_.push_back(std::move(made));
    state.changes_.slips.insert(issued.slip);
    claim(issued.claim).slips.push_back(issued.slip);
  }

  void operator()(const SlipVoided& voided) const {
    Slip& changed = slip(voided.slip);
    changed.state = SlipState::voided;
    changed.voided_at = entry.recorded_at;
    changed.voided_by = voided.by;
    changed.void_reason = voided.reason;
    changed.void_note = voided.note;
  }

  void operator()(const SlipStored& stored) const { slip(stored.slip).stored = stored.digest; }
  void operator()(const NoticePosted& notice) const { post(notice.link, notice.posted); }
  void post(LinkIndex link, bool pending_adjustment) const {
    state.links_[link.value()].pending_adjustment = pending_adjustment;
    state.changes_.links.insert(link);
  }

  void operator()(const ClaimRejected& rejected) const {
    reject(rejected.claim, rejected.reason, rejected.note, rejected.by);
    // An old entry undoes the claim's own hit without listing it.
    const bool is_old = rejected.restored && rejected.hits.undone.empty();
    if (is_old && claim(rejected.claim).level) undo_hit(rejected.claim);
    reverse(rejected.hits);
    Claim& changed = claim(rejected.claim);
    pay_envy(changed, rejected.envy);
    if (!rejected.reversed.empty()) changed.envy_paid = false;
    take_back(changed.table, rejected.reversed);
    TableSession& session = state.sessions_[changed.table.value()];
    if (rejected.reversed.empty() || session.find_round(changed.round) == nullptr) return;
    session.round(changed.round).take_back(rejected.reversed);
    state.changes_.rounds.try_emplace({changed.table, changed.round});
  }
  // M11: the award no longer counts. When its last share is rejected, the hit no longer counts
  // either.
  void reject(ClaimNumber number, RejectReason reason, const std::string& note,
              const Badge& by) const {
    Claim& changed = claim(number);
    changed.state = ClaimState::rejected;
    changed.rejected_at = entry.recorded_at;
    changed.rejected_by = by;
    changed.reject_reason = reason;
    changed.reject_note = note;
    if (!changed.level) return;
    const bool is_last_share =
        std::none_of(state.claims_.begin(), state.claims_.end(), [&changed](const Claim& other) {
          return is_same_hit(other, changed) && other.state != ClaimState::rejected;
        });
    if (!is_last_share) return;
    LevelBalances& level = level_of(changed);
    --(changed.whole_meter ? level.hits : level.partial_hits);
  }
  // The effect of an entry on the hits of the claims that it rejects. REQUIRES: reject() was called
  // for each of these claims.
  void reverse(const HitReversal& hits) const {
    for (const ClaimNumber number : hits.undone) undo_hit(number);
    for (const ClaimNumber number : hits.deferred) claim(number).deferred = true;
  }
  // Frees the hit's number; it was the last one.
  void undo_hit(ClaimNumber number) const {
    Claim& first = claim(number);
    first.deferred = false;
    --level_of(first).last_hit;
  }
  // REQUIRES: the claim is for an award of a meter.
  LevelBalances& level_of(const Claim& claim) const {
    state.changes_.links.insert(claim.link);
    return state.links_[claim.link.value()].levels[claim.level->value()];
  }

  void operator()(const LinkSuspended& suspended) const { suspend(suspended.link, suspended.note); }
  void suspend(LinkIndex link, const std::string& note) const {
    state.links_[link.value()].suspended = note;
    state.changes_.links.insert(link);
  }

  void operator()(const TableFrozen& frozen) const {
    frozen_session(frozen.table).freeze(frozen.note, frozen.by);
  }
  TableSession& frozen_session(TableIndex table) const {
    state.changes_.sessions.insert(table);
    return state.sessions_[table.value()];
  }

  void operator()(const PinChanged& changed) const {
    set_pin(changed.by, changed.pin, false, changed.old_pin);
  }
  void operator()(const SignedIn& signed_in) const { unlock(signed_in.badge); }
  void operator()(const SignInFailed& failed) const {
    Person& changed = person(failed.badge);
    ++changed.failures;
    if (failed.locked_until) {
      changed.locked_until = *failed.locked_until;
    } else if (changed.failures >= limits::sign_in_failures_max) {
      // Older entries do not state the duration. A manager's lock ends by itself in that case too.
      changed.locked_until =
          changed.has(Right::alter) ? entry.recorded_at.after(limits::lock_us_max) : until_new_pin;
    }
  }
  void unlock(const Badge& badge) const {
    Person& changed = person(badge);
    changed.failures = 0;
    changed.locked_until = {};
  }
  void operator()(const Recovered& recovered) const {
    Recovery& recovery = state.staff_.recovery;
    for (const std::uint32_t code : recovered.codes) recovery.codes[code - 1].is_used = true;
    recovery.failures = 0;
    recovery.wait_until = {};
    state.changes_.recovery = true;
    set_pin(recovered.badge, recovered.pin, true);
    unlock(recovered.badge);
  }
  void operator()(const RecoveryFailed& failed) const {
    ++state.staff_.recovery.failures;
    state.staff_.recovery.wait_until = failed.wait_until;
    state.changes_.recovery = true;
  }
  void set_codes(const std::vector<Digest>& codes) const {
    Recovery& recovery = state.staff_.recovery;
    recovery = {};
    for (const Digest& digest : codes) recovery.codes.push_back({digest, false});
    state.changes_.recovery = true;
  }
  void operator()(const PinsTried&) const {}
  void operator()(const DayEnded& ended) const {
    state.days_.push_back(DayRecord{ended.day, entry.number, ended.ends_at});
    state.changes_.days.insert(ended.day);
  }
  void operator()(const ReadingTaken&) const {}
  // Requested at the end of a day, so it belongs to the last day, unless that day is closed.
  void operator()(const CountersReported&) const {
    if (!state.days_.empty() && !state.days_.back().is_closed()) note_of(state.days_.back().day);
  }
  void operator()(const CountRecorded& count) const { note_submitted(count); }
  void operator()(const VarianceExplained& explained) const { note_submitted(explained); }
  void operator()(const FundMoved& moved) const { note_submitted(moved); }
  template <class Said>
  void note_submitted(const Said& said) const {
    note_of(said.day);
    ++day(said.day).said[{said.by, signed_item(said)}];
  }
  void operator()(const DisplayAdjusted& adjusted) const { post(adjusted.link, false); }
  void note_of(GamingDay gaming_day) const { day(gaming_day).facts.push_back(entry.number); }
  void operator()(const DaySigned& first) const {
    DayRecord& changed = day(first.day);
    changed.signed_by = first.by;
    changed.signed_with = entry.number;
    changed.report = first.report;
  }
  void operator()(const DayClosed& closed) const {
    DayRecord& changed = day(closed.day);
    changed.closed_by = closed.by;
    changed.closed_with = entry.number;
  }
  void operator()(const CommandRejected&) const {}
  void operator()(const SelfChecked& fact) const { state.take_check(entry.number, fact); }
  void operator()(const ClockChanged&) const {}
  void operator()(const HeadSigned& fact) const {
    state.keys_.signed_head = fact.head;
    state.keys_.signed_with = entry.number;
    state.changes_.keys = true;
  }
  void operator()(const WriterChanged& fact) const {
    state.writer_ = fact;
    state.changes_.writer = true;
  }
  void operator()(const HistoryRestored& fact) const {
    state.record_restoration(entry.number, fact);
  }
  void operator()(const ClockDoubted& fact) const { state.record_clock_doubt(entry.number, fact); }
  void operator()(const ClockReturned&) const { state.end_clock_doubt(); }

  void operator()(const ActProposed& proposed) const {
    std::vector<Proposal>& open = state.staff_.proposals;
    std::erase_if(open, [this](const Proposal& old) {  // expired proposals
      const bool is_over = old.has_expired(entry.recorded_at);
      if (is_over) state.changes_.proposals.insert(old.number);
      return is_over;
    });
    open.push_back(Proposal{proposed.proposal, proposed.act, proposed.by, entry.recorded_at});
    state.staff_.last_proposal = proposed.proposal;
    state.changes_.proposals.insert(proposed.proposal);
  }

  void operator()(const ActConfirmed& confirmed) const {
    std::erase_if(state.staff_.proposals,
                  [&confirmed](const Proposal& open) { return open.number == confirmed.proposal; });
    state.changes_.proposals.insert(confirmed.proposal);
    std::visit([this](const auto& act) { make(act); }, confirmed.act);
    const Badge* given_to = gives_pin_to(confirmed.act);
    if (given_to == nullptr) return;
    std::set<Badge> known_to = person(confirmed.proposed_by).known_to;
    known_to.insert(confirmed.proposed_by);
    person(*given_to).known_to = std::move(known_to);
  }

  void make(const ResumeLink& resume) const { suspend(*state.floor_.find_link(resume.link), ""); }
  void make(const ResumeLinks& resume) const {
    for (const ResumeLinks::Suspended& one : resume.links) {
      suspend(*state.floor_.find_link(one.link), "");
    }
  }
  void make(const UnfreezeTable& unfreeze) const {
    frozen_session(*state.floor_.find_table(unfreeze.table)).unfreeze();
  }
  void put_in_force(KeyKind kind, const std::string& key) const {
    state.keys_.current[kind] = {key, entry.number};
  }
  void make(const ReplaceKey& replace) const {
    HouseKeys& keys = state.keys_;
    state.changes_.keys = true;
    put_in_force(replace.kind, replace.key);
    if (replace.kind != KeyKind::pin) return;
    // A PIN cannot be resealed without its person. Until its person changes it, each old PIN
    // authorizes only its own change.
    keys.pins_outdated = state.staff_.last_proposal;
    for (auto& [badge, person] : state.staff_.people) {
      if (person.removed) continue;
      person.pin_set_by_other = true;
      state.changes_.people.insert(badge);
      keys.before_pin_key.insert(badge);
    }
  }
  // The postings hold the change. Once the display is adjusted, no adjustment is pending
  // (§ 553.20(h)).
  void make(const CorrectMeter& correct) const {
    const LinkIndex link = *state.floor_.find_link(correct.link);
    if (correct.reason == CorrectionReason::display_adjustment) post(link, false);
  }
  void make(const TransferMeter&) const {}  // its postings hold the change
  void make(const StopCollecting& stop) const { ending(stop.link).stopped = entry.number; }
  void make(const Discontinue& end) const {
    LinkLifecycle& changed = ending(end.link);
    changed.ended = entry.number;
    changed.went_to = find_meter(state.floor_, end.to, end.to_level);
  }
  LinkLifecycle& ending(const LinkId& id) const {
    const LinkIndex link = *state.floor_.find_link(id);
    state.changes_.links.insert(link);
    return state.links_[link.value()].ending;
  }
  void make(const AddPerson& added) const {
    add(added.person);
    set_pin(added.person.badge, added.person.pin, true);
    person(added.person.badge).pin_before.clear();
  }
  void make(const RemovePerson& removed) const {
    person(removed.badge).removed = true;
    forget_old_seal(removed.badge);
  }
  void make(const SetRoles& set) const { person(set.badge).roles = set.roles; }
  void make(const ResetPin& reset) const {
    set_pin(reset.badge, reset.pin, true);
    unlock(reset.badge);
  }
  void make(const Enrol& act) const { enrol(act.enrolment); }
  void make(const Revoke& act) const {
    state.staff_.enrolments.revoke(act.kind, act.name);
    state.changes_.enrolments.emplace(act.kind, act.name);
  }
  void make(const NewRecoveryCodes& made) const { set_codes(made.codes); }
  void make(const AcceptHistory& act) const { state.accept_restored(act.restored, entry.number); }
  void make(const LeaveCluster& act) const {
    state.writer_ = writer_after(state.writer_, act);
    state.changes_.writer = true;
  }
  void make(const ConfirmClock& act) const { state.confirm_clock(act.by_us); }
  // The link's pots were played under the previous parameters, which are no longer available.
  void keep_from_new_terms(LinkIndex link) const {
    for (const TableIndex at : state.floor_.link(link).tables) {
      TableSession& session = state.sessions_[at.value()];
      for (std::size_t slot = 0; slot < session.pots().size(); ++slot) {
        if (session.pots()[slot].link != link) continue;
        session.pot_at(slot).terms_changed = true;
        state.changes_.pots.insert({at, slot});
      }
    }
  }
  void make(const ChangeParameters& change) const {
    for (const LinkIndex link_index : links_changed(state.floor_, change.floor)) {
      state.links_[link_index.value()].begin_period();
      state.changes_.links.insert(link_index);
      if (state.floor_.link(link_index) != change.floor.link(link_index))
        keep_from_new_terms(link_index);
    }
    state.take_floor(change.floor);
    state.configuration_ = entry.number;
    state.changes_.floor = true;
  }
};

void State::apply(const Entry& entry) {
  INVARIANT(entry.number == last_entry_.next());
  INVARIANT(is_balanced(entry.postings));
  std::visit(Applying{*this, entry}, entry.fact);
  post(entry);
  if (entry.origin) {
    const TableIndex table = entry.origin->table;
    sessions_[table.value()].remember(answer_of(entry));
    changes_.sessions.insert(table);
    changes_.note_answer(table, entry.origin->number);
  }
  last_entry_ = entry.number;
}

// ---- the clock and restored histories ----------------------------------------------------------

void State::record_clock_doubt(EntryNumber entry, const ClockDoubted& fact) {
  ClockDoubt doubt{entry, fact};
  for (std::uint32_t at = 0; at < links_.size(); ++at) {
    const LinkIndex link(at);
    if (!links_[at].suspended.empty() && !is_held_by_clock(*this, link)) continue;
    doubt.suspended.push_back(link);
  }
  for (const LinkIndex link : doubt.suspended) {
    links_[link.value()].suspended = suspension_reason(entry, fact);
    changes_.links.insert(link);
  }
  clock_.doubt = std::move(doubt);
  changes_.clock = true;
}

void State::end_clock_doubt() {
  std::vector<LinkIndex> held;
  for (const LinkIndex link : clock_.doubt->suspended) {
    if (is_held_by_clock(*this, link)) held.push_back(link);
  }
  clock_.doubt.reset();
  changes_.clock = true;
  const auto waiting = std::find_if(restorations_.begin(), restorations_.end(),
                                    [](const Restoration& one) { return !one.is_accepted(); });
  for (const LinkIndex link : held) {
    std::string& suspended = links_[link.value()].suspended;
    suspended.clear();
    changes_.links.insert(link);
    if (waiting == restorations_.end()) continue;
    // An unaccepted restored history also holds this link, like the others.
    suspended = suspension_reason(waiting->entry, waiting->fact);
    waiting->suspended.push_back(link);
    changes_.restorations.insert(waiting->entry);
  }
}

void State::confirm_clock(std::int64_t by_us) {
  clock_.lead_us = std::clamp<std::int64_t>(clock_.lead_us - by_us, 0, limits::clock_behind_us_max);
  end_clock_doubt();
}

void State::record_restoration(EntryNumber entry, const HistoryRestored& fact) {
  Restoration restoration{entry, fact};
  for (std::uint32_t at = 0; at < links_.size(); ++at) {
    if (!links_[at].suspended.empty()) continue;
    links_[at].suspended = suspension_reason(entry, fact);
    restoration.suspended.emplace_back(at);
    changes_.links.insert(LinkIndex(at));
  }
  restorations_.push_back(std::move(restoration));
  changes_.restorations.insert(entry);
}

void State::accept_restored(EntryNumber restored, EntryNumber entry) {
  for (Restoration& one : restorations_) {
    if (one.entry != restored) continue;
    one.accepted = entry;
    changes_.restorations.insert(restored);
  }
  if (waiting_restoration(*this) != nullptr) return;
  for (const Restoration& one : restorations_) {
    for (const LinkIndex link : one.suspended) {
      LinkBalances& book = links_[link.value()];
      if (book.suspended != suspension_reason(one.entry, one.fact)) continue;
      book.suspended.clear();
      if (clock_.doubt) {  // the link now waits for the clock, like the others
        book.suspended = suspension_reason(clock_.doubt->entry, clock_.doubt->fact);
        clock_.doubt->suspended.push_back(link);
        changes_.clock = true;
      }
      changes_.links.insert(link);
    }
  }
}

}  // namespace linkmeter
