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

struct CommandLine::Options {
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

using Options = CommandLine::Options;

void takes_odds_options(CLI::App& odds, Options& options) {
  OddsOptions& asked = options.odds;
  odds.add_option("--wager", asked.wager, "A wager id, e.g. crazy-4/five-card")->required();
  odds.add_option("--paytable", asked.paytable,
                  "Its paytable, e.g. C; default: all of them, with --json the first");
  odds.add_flag("--json", asked.json, "Print one JSON document");
  odds.add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  odds.add_option("--unit", asked.unit, "The wager; seeds \"for 1\" follow it")
      ->capture_default_str();
  odds.add_option("--meter", asked.meters,
                  "Return at this meter, as 12000.00, or LEVEL=12000.00 if there are several; "
                  "default: the seed");
  odds.add_option("--seed", asked.seeds, "Seed, if the chapter does not set it; as --meter");
  odds.add_option("--reseed", asked.reseeds, "Reseed, if it is not the seed; as --meter");
  odds.add_option("--rate", asked.rates,
                  "Incrementation rate, if the chapter does not set it; 12%, or LEVEL=12%");
  odds.add_option("--reserve", asked.reserve,
                  "Rate of the reserve, if the chapter does not set it");
  constexpr std::uint64_t int_max = std::numeric_limits<int>::max();
  odds.add_option("--winners", asked.winners,
                  "Number of players with equal wagers who share an award of the meter (1)")
      ->transform(a_number(0, int_max));
  odds.add_option("--draw", asked.draw_rate,
                  "How often the table draws a Magic Card and a Lucky position (100%)");
  odds.add_option("--seats", asked.seats, "Seats of the table; default: the chapter's maximum")
      ->transform(a_number(0, int_max));
  odds.add_option("--decks", asked.decks, "Decks in the shoe, if the house chooses them")
      ->transform(a_number(0, int_max));
}

// `audit`: of a data folder's journal, a bundle, or an archive.
void declare_audit(CLI::App& app, Options& options, std::function<int()>& work) {
  CLI::App* audit = app.add_subcommand(
      "audit",
      "Verify the journal: chain, balances, replay equals state; names the first bad entry");
  auto* data = audit->add_option("--data", options.data, "The data folder");
  audit->add_flag("--json", options.json, "Print one JSON document");
  audit
      ->add_option("--witness", options.witnesses,
                   "Files of what tables have seen (linkmeter-table-agent --print-witness)")
      ->needs(data);
  audit
      ->add_option("--journal-key", options.journal_key,
                   "The SHA-256 of the journal's first key, as init printed it")
      ->needs(data);
  auto* bundle =
      audit->add_option("--bundle", options.bundle, "Verify a bundle; needs only its folder");
  audit
      ->add_option("--head", options.known_head,
                   "An entry and its hash from another source, as 812:5f1c...")
      ->needs(bundle);
  auto* archive = audit->add_option("--archive", options.archive,
                                    "Replay an archive, and compare it with --data if given");
  bundle->excludes(data)->excludes(archive);
  audit->callback([&options, &work] {
    if (!options.bundle.empty()) {
      work = [&options] {
        return cli::audit_bundle(options.bundle, options.known_head, options.json);
      };
    } else if (!options.archive.empty()) {
      work = [&options] { return cli::audit_archive(options.archive, options.data, options.json); };
    } else if (options.data.empty()) {
      throw CLI::RequiredError("--data");
    } else {
      work = [&options] {
        return cli::audit(options.data, options.json, options.witnesses, options.journal_key);
      };
    }
  });
}

// The commands that verify or repair the journal, and approve or verify the software.
void declare_proofs(CLI::App& app, Options& options, std::function<int()>& work) {
  declare_audit(app, options, work);
  CLI::App* rebuild = app.add_subcommand(
      "rebuild", "Rebuild a damaged state from a journal that is whole; suspends every link");
  rebuild->add_option("--data", options.data, "The data folder, with no controller on it")
      ->required();
  rebuild->callback(
      [&options, &work] { work = [&options] { return cli::rebuild(options.data); }; });
  CLI::App* seal = app.add_subcommand(
      "seal", "Sign a manifest of the programs, game chapters and floor file as they are now");
  seal->add_option("--floor", options.seal.floor, "The floor file (TOML)")->required();
  seal->add_option("--data", options.seal.data, "The data folder")->required();
  seal->add_option("--key", options.seal.key, "The seal key, if it is not DIR/keys/seal.key");
  seal->add_option("--by", options.seal.by, "The badge of the engineer who seals");
  seal->add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  seal->callback([&options, &work] {
    work = [&options] {
      options.seal.catalogue = options.catalogue;
      return cli::seal_software(options.seal);
    };
  });
  CLI::App* verify = app.add_subcommand(
      "verify-software", "Compare programs, game chapters and floor file with the manifest");
  verify->add_option("--data", options.data, "The data folder")->required();
  verify->add_option("--floor", options.floor, "The floor file; without it, it is not checked");
  verify->add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  verify->add_flag("--json", options.json, "Print one JSON document");
  verify->callback([&options, &work] {
    work = [&options] {
      return cli::verify_software(options.data, options.floor, options.catalogue, options.json);
    };
  });
}

// `sign`, which drives a sign on a serial line.
void declare_signs(CLI::App& app, Options& options, std::function<int()>& work) {
  SignOptions& asked = options.sign;
  CLI::App* sign = app.add_subcommand("sign", "Drive one sign on a serial line from the feed");
  sign->add_option("--link", asked.link, "The link that it shows")->required();
  sign->add_option("--port", asked.port,
                   "The sign's port: serial:/dev/ttyUSB0:9600, unix:PATH or tcp:127.0.0.1:PORT")
      ->required();
  sign->add_option("--level", asked.level, "Only this level, e.g. mega; default: all");
  sign->add_option("--driver", asked.driver, "The protocol of the sign")
      ->check(CLI::IsMember(sign_driver_names()))
      ->capture_default_str();
  sign->add_option("--number", asked.number, "Which sign on the line, if there are several")
      ->transform(a_number(1, 99))
      ->capture_default_str();
  sign->add_option("--name", asked.name, "The name of the sign (default: the link)");
  auto* data = sign->add_option("--data", asked.data,
                                "The controller's data folder; on another machine use:");
  sign->add_option("--feed", asked.feed, "The endpoint of the controller's feed");
  sign->add_option("--credentials", asked.credentials, "A viewer's file of keys")->excludes(data);
  sign->add_option("--record", asked.record, "A file that records what the sign was last sent");
  sign->callback([&asked, &work] { work = [&asked] { return cli::drive_sign(asked); }; });
}

void takes_hand_options(CLI::App& hand, Options& options) {
  hand.add_option("--wager", options.wager, "A wager id, e.g. crazy-4/five-card")->required();
  hand.add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  hand.footer(
      "A line is one hand, as {\"cards\":[\"As\",\"Ks\",\"Qs\",\"Js\",\"Ts\"]}\n"
      "against the dealer:  {\"cards\":[\"Ks\",\"Qd\"],\"dealer\":[\"As\",\"9s\",\"Ac\"]}\n"
      "poker:               "
      "{\"cards\":[\"Ah\",\"Ad\"],\"board\":[\"Ac\",\"Kh\",\"Kd\",\"2c\",\"3c\"]}");
}

// The commands about cards, which need no floor and no data folder.
void declare_cards(CLI::App& app, Options& options, std::function<int()>& work) {
  CLI::App* hand = app.add_subcommand(
      "hand", "Read hands (JSON Lines) from standard input, print the paytable line of each");
  takes_hand_options(*hand, options);
  hand->callback([&options, &work] {
    work = [&options] { return cli::hand(WagerId(options.wager), options.catalogue); };
  });
  CLI::App* odds =
      app.add_subcommand("odds", "Exact frequency of every line, return, break-even meter, hold");
  takes_odds_options(*odds, options);
  odds->callback([&options, &work] {
    work = [&options] { return cli::odds(options.odds, options.catalogue); };
  });
}

// Declares every command; parsing stores the function of the chosen one in `work`.
void declare(CLI::App& app, Options& options, std::function<int()>& work) {
  const auto command = [&app, &work](const char* name, const char* says,
                                     const std::function<int()>& does) {
    CLI::App* added = app.add_subcommand(name, says);
    added->callback([&work, does] { work = does; });
    return added;
  };
  const auto takes_floor = [&options](CLI::App* added) {
    added->add_option("--floor", options.floor, "The floor file (TOML)")->required();
    added->add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  };
  const auto takes_data = [&options](CLI::App* added) {
    added->add_option("--data", options.data, "The data folder")->required();
  };
  const auto reads = [&app, &options, &work](const char* name, const char* says,
                                             const std::function<int()>& does) {
    CLI::App* added = app.add_subcommand(name, says);
    takes_source(added, options.from);
    added->callback([&options, &work, does] {
      require_source(options.from);
      work = does;
    });
    return added;
  };
  const auto takes_json = [&options](CLI::App* added) {
    added->add_flag("--json", options.json, "Print one JSON document");
  };

  CLI::App* init =
      command("init", "Create a data folder: the first seeds and managers, entry 1 of the journal",
              [&] { return cli::init(options.floor, options.data, options.catalogue); });
  takes_floor(init);
  takes_data(init);
  takes_floor(command("check", "Check a floor file against the game chapters",
                      [&] { return cli::check(options.floor, options.catalogue); }));
  declare_cards(app, options, work);
  const auto shows = [&](const char* name, const char* says, int (*does)(const Source&, bool)) {
    takes_json(reads(name, says, [&options, does] { return does(options.from, options.json); }));
  };
  shows("meters", "List every link and level: amounts, counts, tables", meters);
  shows("tables", "List every table: linked, lost since when, or never seen", tables);
  CLI::App* signs_command =
      command("signs", "List every sign on a serial line: what it was last sent, and how long ago",
              [&options] { return signs(options.from, options.json); });
  takes_folder(signs_command, options.from);
  takes_json(signs_command);
  shows("claims", "List every claim and its state", claims);
  declare_exports(app, options.exports, work);
  declare_explain(app, options.explain, work);
  declare_proofs(app, options, work);
  declare_evidence(app, options.evidence, work);
  declare_signs(app, options, work);
  CLI::App* watch = reads("watch", "A live table of meters, rates, wagers and wins",
                          [&] { return cli::watch(options.from, options.once, options.note); });
  watch->add_flag("--once", options.once, "Print it once and end");
  watch->add_option("--note", options.note, "A text below the first line");
  declare_acts(app, options.acts, work);
}

}  // namespace

CommandLine::CommandLine()
    : app_("Linkmeter: the meters of a casino's linked progressives, provable to the cent",
           "linkmeter"),
      options_(std::make_unique<Options>()) {
  app_.require_subcommand(1);
  add_version(app_);
  declare(app_, *options_, work_);
  refuse_empty_values(app_);
}

CommandLine::~CommandLine() = default;

std::function<int()> CommandLine::read(int count, const char* const* arguments) {
  *options_ = Options();
  options_->catalogue = default_catalogue_directory();
  work_ = nullptr;
  app_.parse(count, arguments);
  return work_;
}

}  // namespace linkmeter::cli
