#include <iostream>

#include "controller/accounting/explain/explanation.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/progress.h"
#include "controller/view/display_names.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

namespace {

struct ExplainOptions {
  std::uint64_t at = 0, claim = 0;  // 0: not given
  bool with_rounds = false;
};

ExplainRequest read_request(const CommandOptions& given, const ExplainOptions& options,
                            const State& state) {
  ExplainRequest request;
  request.with_rounds = options.with_rounds;
  if (options.claim != 0) {
    request.claim = ClaimNumber(options.claim);
    return request;
  }
  const auto link = state.floor().find_link(LinkId(given.link));
  if (!link) throw Fault("there is no link " + given.link);
  request.link = *link;
  request.pool = Pool::reserve();
  const std::vector<LevelConfig>& levels = state.floor().link(*link).levels;
  bool is_known = given.level == "reserve";
  std::string known;
  for (std::size_t at = 0; at < levels.size(); ++at) {
    known += " " + levels[at].id.text();
    if (levels[at].id.text() != given.level) continue;
    request.pool = Pool::level(LevelIndex(static_cast<std::uint8_t>(at)));
    is_known = true;
  }
  if (levels.empty()) throw Fault("link " + given.link + " has fixed awards only, and no meter");
  if (!is_known) {
    throw Fault("link " + given.link + " has no level " + given.level + "; it has" + known +
                " reserve");
  }
  request.at = options.at == 0 ? state.last_entry() : EntryNumber(options.at);
  if (request.at > state.last_entry()) {
    throw Fault("the journal ends with entry " + std::to_string(state.last_entry().value()));
  }
  return request;
}

class ExplanationText {
 public:
  ExplanationText(const Explanation& explanation, const Floor& floor)
      : explanation_(explanation), floor_(floor) {}

  void print() const {
    if (explanation_.payout) {
      std::cout << "claim " << explanation_.claim->value() << ", entry " << explanation_.at.value()
                << ":\n";
      for (const std::string& step : payout_sentences(*explanation_.payout, floor_)) {
        std::cout << "  " << step << '\n';
      }
    }
    if (explanation_.is_fixed()) return;
    const std::string place = link_name(floor_, explanation_.link) + " " +
                              pool_name(floor_, explanation_.link, explanation_.pool);
    std::cout << place
              << (explanation_.claim ? ", just before its award in entry " : " after entry ")
              << explanation_.at.value() << ": " << text_exact(explanation_.balance) << '\n';
    print_beginning();
    part("contributed, net of voids", explanation_.flow.contributed);
    for (const DayShare& day : explanation_.days) print_day(day);
    part("withheld: voided, and not yet repaid", explanation_.flow.withheld);
    part("overflow at the limit", explanation_.flow.overflowed);
    part("taken by awards", explanation_.flow.awarded);
    part("returned by rejected claims", explanation_.flow.returned);
    part("reseeds of awards that do not stand; the house's part of an ending",
         explanation_.flow.seeded);
    part("between reserve and meter", explanation_.flow.from_reserve);
    part("corrections", explanation_.flow.corrected);
    part("transfers", explanation_.flow.transferred);
    std::cout << "  = " << text_exact(explanation_.sum()) << '\n';
    for (const PoolEvent& event : explanation_.events) {
      std::cout << "  entry " << event.entry.value() << " " << text(event.at) << " " << event.kind
                << " " << text_exact(event.amount) << claims(event.claims)
                << (event.other.empty()       ? ""
                    : event.amount < Amount() ? ", to "
                                              : ", from ")
                << event.other << '\n';
    }
    if (!explanation_.earlier.empty()) std::cout << "earlier awards, the latest first:\n";
    for (const EarlierAward& award : explanation_.earlier) {
      std::cout << "  entry " << award.entry.value() << " " << text(award.at) << " "
                << (award.whole ? "100% " : "share ") << text_cents(award.amount);
      if (award.meter_before != Amount()) {
        std::cout << " of " << text_exact(award.meter_before) << ", left "
                  << text_exact(award.left);
      }
      std::cout << (award.is_rejected ? ", rejected" : "") << claims(award.claims) << '\n';
    }
  }

 private:
  static std::string claims(const std::vector<ClaimNumber>& claims) {
    std::string text;
    for (const ClaimNumber claim : claims) {
      text += (text.empty() ? ", claim " : " ") + std::to_string(claim.value());
    }
    return text;
  }
  static void part(const char* words, Amount amount) {
    if (amount != Amount()) std::cout << "  " << text_exact(amount) << "  " << words << '\n';
  }
  void print_beginning() const {
    std::cout << (explanation_.is_since_award ? "since the 100% award of entry "
                                              : "since the floor opened with entry ")
              << explanation_.since.value() << " " << text(explanation_.since_at) << '\n';
    part("kept by that award", explanation_.kept);
    part(explanation_.is_since_award ? "reseed" : "seed", explanation_.seeded);
    part("from the reserve", explanation_.from_reserve);
  }
  void print_day(const DayShare& day) const {
    std::cout << "    " << text_exact(day.flow.contributed) << "  "
              << (day.day.empty() ? "the day that is open" : day.day) << ", entries "
              << day.first.value() << " to " << day.last.value() << '\n';
    for (const TableShare& table : day.tables) {
      std::cout << "      " << text_exact(table.contributed) << "  "
                << table_name(floor_, table.table) << '\n';
      for (const RoundShare& round : table.rounds) {
        std::cout << "        " << text_exact(round.contributed) << "  " << round.round.text()
                  << ", entry " << round.entry.value() << '\n';
      }
    }
  }

  const Explanation& explanation_;
  const Floor& floor_;
};

int explain_meter(const CommandOptions& given, const ExplainOptions& options) {
  const auto journal = open_data(given.from.data);
  const State state = current_state(*journal);
  const ExplainRequest request = read_request(given, options, state);
  const Explanation explanation =
      explain(*journal, state, request,
              Progress("explain", state.last_entry().value(), "entries at most").callback());
  if (given.json) {
    print_json(explanation_json(explanation, state.floor(), request.with_rounds));
  } else {
    ExplanationText(explanation, state.floor()).print();
  }
  return 0;
}

}  // namespace

void declare_explain(CLI::App& app, CommandBuilder& declare) {
  CommandOptions& given = declare.options;
  auto& options = declare.own<ExplainOptions>();
  CLI::App* explain = app.add_subcommand(
      "explain", "Explain what a meter consists of, back to the wagers since its last 100% award");
  declare.takes_data(explain);
  auto* link = explain->add_option("--link", given.link, "The link");
  auto* level =
      explain->add_option("--level", given.level, "Its level, or reserve")->capture_default_str();
  auto* at = explain->add_option("--at", options.at, "The meter after this entry; default: now")
                 ->transform(a_number(1, std::uint64_t{1} << 62U));
  auto* claim =
      explain
          ->add_option("--claim", options.claim,
                       "How this payout was reached: the fixed award, or what the line "
                       "took of its meter and how it is shared, and what the meter "
                       "received since the award before; every contribution with --rounds")
          ->transform(a_number(1, std::uint64_t{1} << 62U));
  claim->excludes(link)->excludes(level)->excludes(at);
  explain->add_flag("--rounds", options.with_rounds, "List every round, not only every table");
  declare.takes_json(explain);
  explain->footer("The parts sum to the amount, to 10^-8 dollar.");
  explain->callback([&declare, &given, &options, link, claim] {
    if (link->count() == 0 && claim->count() == 0) throw CLI::RequiredError("--link or --claim");
    declare.work = [&given, &options] { return explain_meter(given, options); };
  });
}

}  // namespace linkmeter::cli
