#include "controller/cli/shell/command.h"

namespace linkmeter::cli {

namespace {

CLI::Option* takes_link(CLI::App* command, CommandBuilder& declare) {
  return declare.takes(command, "link", &CommandOptions::link, "The link's id");
}

// The two steps that end a link.
void declare_discontinuation(CLI::App& link, CommandBuilder& declare) {
  CLI::App* stop = declare.proposal(link, "stop-collecting",
                                    "Propose that the link takes no more wagers, for ever",
                                    [](const CommandOptions& given) {
                                      return StopCollecting{LinkId(given.link), given.note};
                                    });
  takes_link(stop, declare);
  declare.takes_note(stop);
  stop->footer(
      "What is on its meters can still be won by rounds that are locked, and a fund of pots "
      "by\n"
      "pots, which then contribute nothing. It cannot be undone.");
  CLI::App* end = declare.proposal(
      link, "discontinue", "Propose that the link ends: players' money on it goes to another meter",
      [](const CommandOptions& given) {
        const std::string level = given.to.empty() ? "" : given.to_level;
        return Discontinue{LinkId(given.link), LinkId(given.to), LevelId(level), given.note};
      });
  takes_link(end, declare);
  declare.takes_note(end);
  CLI::Option* to =
      end->add_option("--to", declare.options.to, "The link that players' money goes to");
  end->add_option("--to-level", declare.options.to_level, "Its level")
      ->capture_default_str()
      ->needs(to);
  end->footer(
      "The reseed of each meter goes back to the house, all else to the other meter. It has "
      "stopped\n"
      "collecting before; no round and no claim of it is open. Without --to only if there is "
      "nothing\n"
      "of players on it. Of a fund of pots nothing goes back to the house: all\n"
      "that it displays, reseed included, and its reserve go to another fund of pots, by the\n"
      "procedure that its floor file names as approved (discontinuation; § 553.20(i)).");
}

}  // namespace

void declare_links(CLI::App& app, CommandBuilder& declare) {
  struct LinkOptions {
    bool posted = false, cleared = false;
    bool all = false;  // every suspended link
  };
  auto& flags = declare.own<LinkOptions>();
  CLI::App& link =
      CommandBuilder::group(app, "link", "Suspend, resume or end a link; post its notice");
  CLI::App* notice = declare.act(
      link, "notice", "Post or clear \"pending adjustment\" on the display of a fund of pots",
      [&flags](const CommandOptions& given) {
        return PostNotice{LinkId(given.link), flags.posted};
      });
  takes_link(notice, declare);
  takes_one_of(notice, {notice->add_flag("--posted", flags.posted, "Post it"),
                        notice->add_flag("--cleared", flags.cleared, "Clear it")});
  CLI::App* suspend = declare.act(link, "suspend", "Suspend a link: it takes no more wagers",
                                  [](const CommandOptions& given) {
                                    return SuspendLink{LinkId(given.link), given.reason};
                                  });
  takes_link(suspend, declare);
  declare.takes(suspend, "--reason", &CommandOptions::reason, "Why; shown on the sign");
  CLI::App* resume =
      declare.proposal(link, "resume", "Propose to resume a link, or all suspended links",
                       [&flags](const CommandOptions& given) -> DualControlCommand {
                         if (flags.all) return ResumeLinks{.cause = given.reason};
                         return ResumeLink{LinkId(given.link)};
                       });
  CLI::Option* all = resume->add_flag("--all", flags.all,
                                      "All suspended links; the proposal lists them "
                                      "with their reasons");
  resume
      ->add_option("--reason", declare.options.reason,
                   "With --all: only links whose reason begins with this text")
      ->needs(all);
  takes_one_of(resume, {takes_link(resume, declare)->required(false), all});
  declare_discontinuation(link, declare);
}

void declare_tables(CLI::App& app, CommandBuilder& declare) {
  CLI::App& table = CommandBuilder::group(app, "table", "Freeze or unfreeze a table");
  CLI::App* freeze =
      declare.act(table, "freeze", "Freeze a table: it takes no new rounds; open rounds continue",
                  [](const CommandOptions& given) {
                    return FreezeTable{TableId(given.table), given.reason};
                  });
  CLI::App* unfreeze = declare.proposal(
      table, "unfreeze", "Propose to unfreeze a table",
      [](const CommandOptions& given) { return UnfreezeTable{TableId(given.table)}; });
  for (CLI::App* command : {freeze, unfreeze}) {
    declare.takes(command, "table", &CommandOptions::table, "The table's id");
  }
  declare.takes(freeze, "--reason", &CommandOptions::reason, "Why; shown at the table");
}

}  // namespace linkmeter::cli
