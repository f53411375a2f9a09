#include "controller/cli/command_line.h"

#include <filesystem>
#include <string>
#include <vector>

#include "config/reader/floor_file.h"
#include "controller/cli/inspect/explaining.h"
#include "controller/cli/inspect/odds.h"
#include "controller/cli/inspect/sign.h"
#include "controller/cli/operate/operator_commands.h"
#include "controller/cli/prove/evidence.h"
#include "controller/cli/prove/exporting.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/source.h"
#include "controller/signs/sign_driver.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

struct CommandLine::Said {
  std::filesystem::path floor;
  std::filesystem::path data;
  Source from;
  std::filesystem::path catalogue;
  std::string wager;
  bool json = false;
  bool once = false;
  std::string note;
  OddsOptions odds;
  CommandOptions acts;
  SealOptions seal;
  SignOptions sign;
  ExportOptions exports;
  ExplainOptions explain;
  std::vector<std::filesystem::path> witnesses;
  EvidenceOptions evidence;
  std::filesystem::path bundle, archive;
  std::string known_head;
  std::string journal_key;
};

namespace {

using Said = CommandLine::Said;

void takes_odds_options(CLI::App& odds, Said& said) {
  OddsOptions& asked = said.odds;
  odds.add_option("--wager", asked.wager, "A wager id, e.g. crazy-4/five-card")->required();
  odds.add_option("--paytable", asked.paytable,
                  "Its paytable, e.g. C; without it all of them, with --json the first");
  odds.add_flag("--json", asked.json, "Print one JSON document");
  odds.add_option("--catalogue", said.catalogue, "The folder with the game chapters");
  odds.add_option("--unit", asked.unit, "The wager; seeds \"for 1\" follow it")
      ->capture_default_str();
  odds.add_option("--meter", asked.meters,
                  "Return at this meter, as 12000.00, or LEVEL=12000.00 where there are several; "
                  "without it at the seed");
  odds.add_option("--seed", asked.seeds, "Seed, where the chapter leaves it open; as --meter");
  odds.add_option("--reseed", asked.reseeds, "Reseed, if another than the seed; as --meter");
  odds.add_option("--rate", asked.rates,
                  "Incrementation rate, where the chapter leaves it open; 12%, or LEVEL=12%");
  odds.add_option("--reserve", asked.reserve, "Rate of the reserve, where it is left open");
  constexpr std::uint64_t int_max = std::numeric_limits<int>::max();
  odds.add_option("--winners", asked.winners,
                  "So many players with equal wagers share an award of the meter (1)")
      ->transform(a_number(0, int_max));
  odds.add_option("--draw", asked.draw_rate,
                  "How often the table draws a Magic Card and a Lucky position (100%)");
  odds.add_option("--seats", asked.seats, "Seats of the table; without it the chapter's most")
      ->transform(a_number(0, int_max));
  odds.add_option("--decks", asked.decks, "Decks in the shoe, where the house chooses them")
      ->transform(a_number(0, int_max));
}

// What is proved: a data folder's journal, a bundle, or an archive.
void declare_audit(CLI::App& app, Said& said, std::function<int()>& work) {
  CLI::App* audit = app.add_subcommand(
      "audit",
      "Prove the journal: chain, balances, replay equals state; names the first bad entry");
  auto* data = audit->add_option("--data", said.data, "The data folder");
  audit->add_flag("--json", said.json, "Print one JSON document");
  audit
      ->add_option("--witness", said.witnesses,
                   "Files of what tables have seen (linkmeter-table-agent --print-witness)")
      ->needs(data);
  audit
      ->add_option("--journal-key", said.journal_key,
                   "The SHA-256 of the journal's first key, as init told it")
      ->needs(data);
  auto* bundle =
      audit->add_option("--bundle", said.bundle, "Prove a bundle; needs nothing but its folder");
  audit
      ->add_option("--head", said.known_head,
                   "An entry and its hash that are known from elsewhere, as 812:5f1c...")
      ->needs(bundle);
  auto* archive = audit->add_option("--archive", said.archive,
                                    "Replay an archive, and hold it against --data if given");
  bundle->excludes(data)->excludes(archive);
  audit->callback([&said, &work] {
    if (!said.bundle.empty()) {
      work = [&said] { return cli::audit_bundle(said.bundle, said.known_head, said.json); };
    } else if (!said.archive.empty()) {
      work = [&said] { return cli::audit_archive(said.archive, said.data, said.json); };
    } else if (said.data.empty()) {
      throw CLI::RequiredError("--data");
    } else {
      work = [&said] { return cli::audit(said.data, said.json, said.witnesses, said.journal_key); };
    }
  });
}

// The commands that prove something: the journal, and what is approved to run here.
void declare_proofs(CLI::App& app, Said& said, std::function<int()>& work) {
  declare_audit(app, said, work);
  CLI::App* rebuild = app.add_subcommand(
      "rebuild", "Make a damaged state anew from a journal that is whole; suspends every link");
  rebuild->add_option("--data", said.data, "The data folder, with no controller on it")->required();
  rebuild->callback([&said, &work] { work = [&said] { return cli::rebuild(said.data); }; });
  CLI::App* seal = app.add_subcommand(
      "seal", "Sign a manifest of the programs, game chapters and floor file as they are now");
  seal->add_option("--floor", said.seal.floor, "The floor file (TOML)")->required();
  seal->add_option("--data", said.seal.data, "The data folder")->required();
  seal->add_option("--key", said.seal.key,
                   "The seal key, if it is kept away from DIR/keys/seal.key");
  seal->add_option("--by", said.seal.by, "The badge of the engineer who seals");
  seal->add_option("--catalogue", said.catalogue, "The folder with the game chapters");
  seal->callback([&said, &work] {
    work = [&said] {
      said.seal.catalogue = said.catalogue;
      return cli::seal_software(said.seal);
    };
  });
  CLI::App* verify = app.add_subcommand(
      "verify-software", "Hold programs, game chapters and floor file against the manifest");
  verify->add_option("--data", said.data, "The data folder")->required();
  verify->add_option("--floor", said.floor, "The floor file; without it it is not looked at");
  verify->add_option("--catalogue", said.catalogue, "The folder with the game chapters");
  verify->add_flag("--json", said.json, "Print one JSON document");
  verify->callback([&said, &work] {
    work = [&said] {
      return cli::verify_software(said.data, said.floor, said.catalogue, said.json);
    };
  });
}

// The commands for signs on a line: one drives one, the other tells how they stand.
void declare_signs(CLI::App& app, Said& said, std::function<int()>& work) {
  SignOptions& asked = said.sign;
  CLI::App* sign = app.add_subcommand("sign", "Drive one sign on a serial line from the feed");
  sign->add_option("--link", asked.link, "The link that it shows")->required();
  sign->add_option("--port", asked.port,
                   "Where the sign is: serial:/dev/ttyUSB0:9600, unix:PATH or tcp:127.0.0.1:PORT")
      ->required();
  sign->add_option("--level", asked.level, "Only this level, e.g. mega; without it all");
  sign->add_option("--driver", asked.driver, "What the sign understands")
      ->check(CLI::IsMember(sign_driver_names()))
      ->capture_default_str();
  sign->add_option("--number", asked.number, "Which sign on the line, where there are several")
      ->transform(a_number(1, 99))
      ->capture_default_str();
  sign->add_option("--name", asked.name, "What people call the sign (the link)");
  auto* data =
      sign->add_option("--data", asked.data, "The controller's data folder; or, elsewhere:");
  sign->add_option("--feed", asked.feed, "The endpoint of the controller's feed");
  sign->add_option("--credentials", asked.credentials, "A viewer's file of keys")->excludes(data);
  sign->add_option("--record", asked.record, "A file that says what the sign was last told");
  sign->callback([&asked, &work] { work = [&asked] { return cli::drive_sign(asked); }; });
}

void takes_hand_options(CLI::App& hand, Said& said) {
  hand.add_option("--wager", said.wager, "A wager id, e.g. crazy-4/five-card")->required();
  hand.add_option("--catalogue", said.catalogue, "The folder with the game chapters");
  hand.footer(
      "A line is one hand, as {\"cards\":[\"As\",\"Ks\",\"Qs\",\"Js\",\"Ts\"]}\n"
      "against the dealer:  {\"cards\":[\"Ks\",\"Qd\"],\"dealer\":[\"As\",\"9s\",\"Ac\"]}\n"
      "poker:               "
      "{\"cards\":[\"Ah\",\"Ad\"],\"board\":[\"Ac\",\"Kh\",\"Kd\",\"2c\",\"3c\"]}");
}

// The commands for cards alone: they need no floor and no data folder.
void declare_cards(CLI::App& app, Said& said, std::function<int()>& work) {
  CLI::App* hand = app.add_subcommand(
      "hand", "Read hands (JSON Lines) from standard input, print the paytable line of each");
  takes_hand_options(*hand, said);
  hand->callback([&said, &work] {
    work = [&said] { return cli::hand(WagerId(said.wager), said.catalogue); };
  });
  CLI::App* odds =
      app.add_subcommand("odds", "Exact frequency of every line, return, break-even meter, hold");
  takes_odds_options(*odds, said);
  odds->callback(
      [&said, &work] { work = [&said] { return cli::odds(said.odds, said.catalogue); }; });
}

// Declares every command; the chosen one's work ends up in `work`.
void declare(CLI::App& app, Said& said, std::function<int()>& work) {
  const auto command = [&app, &work](const char* name, const char* says,
                                     const std::function<int()>& does) {
    CLI::App* added = app.add_subcommand(name, says);
    added->callback([&work, does] { work = does; });
    return added;
  };
  const auto takes_floor = [&said](CLI::App* added) {
    added->add_option("--floor", said.floor, "The floor file (TOML)")->required();
    added->add_option("--catalogue", said.catalogue, "The folder with the game chapters");
  };
  const auto takes_data = [&said](CLI::App* added) {
    added->add_option("--data", said.data, "The data folder")->required();
  };
  const auto reads = [&app, &said, &work](const char* name, const char* says,
                                          const std::function<int()>& does) {
    CLI::App* added = app.add_subcommand(name, says);
    takes_source(added, said.from);
    added->callback([&said, &work, does] {
      require_source(said.from);
      work = does;
    });
    return added;
  };
  const auto takes_json = [&said](CLI::App* added) {
    added->add_flag("--json", said.json, "Print one JSON document");
  };

  CLI::App* init =
      command("init", "Create a data folder: the first seeds and managers, entry 1 of the journal",
              [&] { return cli::init(said.floor, said.data, said.catalogue); });
  takes_floor(init);
  takes_data(init);
  takes_floor(command("check", "Hold a floor file against the game chapters",
                      [&] { return cli::check(said.floor, said.catalogue); }));
  declare_cards(app, said, work);
  const auto shows = [&](const char* name, const char* says, int (*does)(const Source&, bool)) {
    takes_json(reads(name, says, [&said, does] { return does(said.from, said.json); }));
  };
  shows("meters", "Every link and level: amounts, counts, tables", meters);
  shows("tables", "Every table: linked, lost since when, or never seen", tables);
  CLI::App* signs_told =
      command("signs", "Every sign on a line: what it was last told, and how long ago",
              [&said] { return signs(said.from, said.json); });
  takes_folder(signs_told, said.from);
  takes_json(signs_told);
  shows("claims", "Every claim and its state", claims);
  declare_exports(app, said.exports, work);
  declare_explain(app, said.explain, work);
  declare_proofs(app, said, work);
  declare_evidence(app, said.evidence, work);
  declare_signs(app, said, work);
  CLI::App* watch = reads("watch", "A live table of meters, rates, wagers and wins",
                          [&] { return cli::watch(said.from, said.once, said.note); });
  watch->add_flag("--once", said.once, "Print one picture and end");
  watch->add_option("--note", said.note, "A text that stands below the first line");
  declare_acts(app, said.acts, work);
}

}  // namespace

CommandLine::CommandLine()
    : app_("Linkmeter: the meters of a casino's linked progressives, provable to the cent",
           "linkmeter"),
      said_(std::make_unique<Said>()) {
  app_.require_subcommand(1);
  add_version(app_);
  declare(app_, *said_, work_);
  refuse_empty_values(app_);
}

CommandLine::~CommandLine() = default;

std::function<int()> CommandLine::read(int count, const char* const* arguments) {
  *said_ = Said();
  said_->catalogue = default_catalogue_directory();
  work_ = nullptr;
  app_.parse(count, arguments);
  return work_;
}

}  // namespace linkmeter::cli
