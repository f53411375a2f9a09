#include "controller/cli/operate/operator_commands.h"

#include <optional>
#include <set>
#include <utility>

#include "controller/cli/operate/claims.h"
#include "controller/cli/operate/clock.h"
#include "controller/cli/operate/days.h"
#include "controller/cli/operate/funds.h"
#include "controller/cli/operate/keys.h"
#include "controller/cli/operate/restore.h"
#include "controller/cli/shell/command.h"
#include "controller/cli/shell/declaring.h"
#include "controller/cli/shell/operator_client.h"
#include "meters/facts/operator_command.h"
#include "meters/state/claim.h"
#include "meters/values/limits.h"
#include "meters/values/person.h"
#include "proto/host/command_line.h"

namespace linkmeter::cli {

namespace {

// "12.5", "-12.50", "+0.00000001": dollars, up to the eight decimals that meters have.
std::optional<Amount> parse_exact(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  constexpr std::size_t decimals_max = 8, digits_max = 10;
  const std::size_t point = std::min(text.find('.'), text.size());
  std::string decimals(text.substr(std::min(point + 1, text.size())));
  const std::string whole(text.substr(0, point));
  const auto is_digits = [](const std::string& digits) {
    return digits.find_first_not_of("0123456789") == std::string::npos;
  };
  if (whole.empty() || whole.size() > digits_max || decimals.size() > decimals_max ||
      (decimals.empty() && point < text.size()) || !is_digits(whole) || !is_digits(decimals)) {
    return std::nullopt;
  }
  decimals.resize(decimals_max, '0');
  const Amount amount = Amount::from_units(std::stoll(whole + decimals));
  return is_negative ? -amount : amount;
}

std::set<Role> roles_of(const CommandOptions& options) {
  std::set<Role> roles;
  for (const std::string& role : options.roles) roles.insert(parse_role(role).value());
  return roles;
}

OperatorCommand add_person(const CommandOptions& options) {
  Person person;
  person.badge = Badge(options.badge);
  person.name = options.name;
  person.department = parse_department(options.department).value();
  person.roles = roles_of(options);
  return Propose{AddPerson{std::move(person)}};
}

OperatorCommand set_pin(const CommandOptions& options) {
  if (options.badge.empty() || options.badge == options.by) return ChangePin{};
  return Propose{ResetPin{Badge(options.badge), {}}};
}

void takes_roles(CLI::App* command, CommandOptions& options) {
  command
      ->add_option("--role", options.roles,
                   "A role of that department, e.g. floorperson; may be repeated")
      ->required()
      ->allow_extra_args(false)
      ->check(read_by(parse_role,
                      "one of dealer, floorperson, poker_shift_supervisor, table_games_manager, "
                      "cashier, accountant, finance_manager, security_officer, engineer, auditor"));
}

void declare_people(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& person = *CommandBuilder::group(app, "person", "List, add, change or remove persons");
  declare.reading(person, "list", "List all persons, also removed ones",
                  [&options] { return people(options.from, options.json); });
  const auto takes_badge = [&options](CLI::App* command) {
    return command->add_option("badge", options.badge, "The person's badge");
  };
  CLI::App* add =
      declare.act(person, "add",
                  "Propose a new person; the PIN is $LINKMETER_NEW_PIN, or random and printed "
                  "once; it must be changed first: person pin --by BADGE",
                  add_person);
  takes_badge(add)->required();
  add->add_option("--name", options.name, "The person's name")->required();
  add->add_option("--department", options.department,
                  "table_games, finance, security, systems or oversight")
      ->required()
      ->check(
          read_by(parse_department, "one of table_games, finance, security, systems, oversight"));
  takes_roles(add, options);
  takes_badge(declare.act(person, "remove", "Propose to remove a person",
                          [](const CommandOptions& given) -> OperatorCommand {
                            return Propose{RemovePerson{Badge(given.badge)}};
                          }))
      ->required();
  CLI::App* roles = declare.act(person, "roles", "Propose other roles for a person",
                                [](const CommandOptions& given) -> OperatorCommand {
                                  return Propose{SetRoles{Badge(given.badge), roles_of(given)}};
                                });
  takes_badge(roles)->required();
  takes_roles(roles, options);
  takes_badge(declare.act(person, "pin",
                          "Change your PIN; or propose a new one for another person, which unlocks "
                          "that person and must be changed first",
                          set_pin));
}

void declare_endings(CLI::App& link, CommandOptions& options, const CommandBuilder& declare) {
  const auto takes_link = [&options](CLI::App* command) {
    command->add_option("link", options.link, "The link's id")->required();
    command->add_option("--note", options.note, "In your words");
    return command;
  };
  takes_link(declare.act(link, "stop-collecting",
                         "Propose that the link takes no more wagers, for ever",
                         [](const CommandOptions& given) -> OperatorCommand {
                           return Propose{StopCollecting{LinkId(given.link), given.note}};
                         }))
      ->footer(
          "What is on its meters can still be won by rounds that are locked, and a fund of pots "
          "by\n"
          "pots, which then contribute nothing. It cannot be undone.");
  CLI::App* end = takes_link(declare.act(
      link, "discontinue", "Propose that the link ends: players' money on it goes to another meter",
      [](const CommandOptions& given) -> OperatorCommand {
        const bool is_moved = !given.to.empty();
        return Propose{Discontinue{LinkId(given.link), LinkId(given.to),
                                   LevelId(is_moved ? given.to_level : ""), given.note}};
      }));
  CLI::Option* to = end->add_option("--to", options.to, "The link that players' money goes to");
  end->add_option("--to-level", options.to_level, "Its level")->capture_default_str()->needs(to);
  end->footer(
      "The reseed of each meter goes back to the house, all else to the other meter. It has "
      "stopped\n"
      "collecting before; no round and no claim of it is open. Without --to only if there is "
      "nothing\n"
      "of players on it. Of a fund of pots nothing goes back to the house: all\n"
      "that it displays, reseed included, and its reserve go to another fund of pots, by the\n"
      "procedure that its floor file names as approved (discontinuation; § 553.20(i)).");
}

void declare_links(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& link =
      *CommandBuilder::group(app, "link", "Suspend, resume or end a link; post its notice");
  CLI::App* notice = declare.act(
      link, "notice", "Post or clear \"pending adjustment\" on the display of a fund of pots",
      [](const CommandOptions& given) -> OperatorCommand {
        return PostNotice{LinkId(given.link), given.posted};
      });
  notice->add_option("link", options.link, "The link's id")->required();
  takes_one_of(notice, {notice->add_flag("--posted", options.posted, "Post it"),
                        notice->add_flag("--cleared", options.cleared, "Clear it")});
  CLI::App* suspend = declare.act(link, "suspend", "Suspend a link: it takes no more wagers",
                                  [](const CommandOptions& given) -> OperatorCommand {
                                    return SuspendLink{LinkId(given.link), given.reason};
                                  });
  suspend->add_option("link", options.link, "The link's id")->required();
  suspend->add_option("--reason", options.reason, "Why; shown on the sign")->required();
  CLI::App* resume = declare.act(link, "resume", "Propose to resume a link, or all suspended links",
                                 [](const CommandOptions& given) -> OperatorCommand {
                                   if (given.all)
                                     return Propose{ResumeLinks{.cause = given.reason}};
                                   return Propose{ResumeLink{LinkId(given.link)}};
                                 });
  CLI::Option* all = resume->add_flag("--all", options.all,
                                      "All suspended links; the proposal lists them "
                                      "with their reasons");
  resume
      ->add_option("--reason", options.reason,
                   "With --all: only links whose reason begins with this text")
      ->needs(all);
  takes_one_of(resume, {resume->add_option("link", options.link, "The link's id"), all});
  declare_endings(link, options, declare);
}

void declare_tables(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& table = *CommandBuilder::group(app, "table", "Freeze or unfreeze a table");
  const auto takes_table = [&options](CLI::App* command) {
    command->add_option("table", options.table, "The table's id")->required();
    return command;
  };
  takes_table(declare.act(table, "freeze",
                          "Freeze a table: it takes no new rounds; open rounds continue",
                          [](const CommandOptions& given) -> OperatorCommand {
                            return FreezeTable{TableId(given.table), given.reason};
                          }))
      ->add_option("--reason", options.reason, "Why; shown at the table")
      ->required();
  takes_table(declare.act(table, "unfreeze", "Propose to unfreeze a table",
                          [](const CommandOptions& given) -> OperatorCommand {
                            return Propose{UnfreezeTable{TableId(given.table)}};
                          }));
}

EnrolmentKind kind_of(const CommandOptions& options) {
  return options.viewer.empty() ? EnrolmentKind::table : EnrolmentKind::viewer;
}
const std::string& name_of(const CommandOptions& options) {
  return options.viewer.empty() ? options.table : options.viewer;
}

void declare_enrolments(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  const auto takes_name = [&options](CLI::App* command) {
    takes_one_of(command, {command->add_option("--table", options.table, "A table of the floor"),
                           command->add_option("--viewer", options.viewer,
                                               "A sign or another reader of the feed")});
    return command;
  };
  takes_name(declare.asking(app, "enroll",
                            "Make the key pair of a table or viewer as one file to carry to it, "
                            "and propose it: an engineer proposes, a manager confirms",
                            [&options](const OperatorClient& by) {
                              return enroll(by, kind_of(options), name_of(options), options.out);
                            }))
      ->add_option("--out", options.out, "The file to make (default: NAME.credentials)");
  takes_name(declare.act(app, "revoke", "Propose to revoke the key of a table or viewer",
                         [](const CommandOptions& given) -> OperatorCommand {
                           return Propose{Revoke{kind_of(given), name_of(given)}};
                         }));
  declare.reading(app, "enrolments",
                  "List the tables and viewers that may connect, with public keys",
                  [&options] { return enrolments(options.from, options.json); });
}

void declare_amounts(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  const auto takes_amount = [&options](CLI::App* command, const char* says) {
    command->add_option("--amount", options.amount, says)
        ->required()
        ->check(read_by(parse_exact, "an amount of dollars, as 12.50"));
    command->add_option("--note", options.note, "In your words");
  };
  CLI::App* correct =
      declare.act(app, "correct", "Propose to correct a meter",
                  [](const CommandOptions& given) -> OperatorCommand {
                    return Propose{CorrectMeter{
                        LinkId(given.link), LevelId(given.level), parse_exact(given.amount).value(),
                        parse_correction_reason(given.reason).value(), given.note}};
                  });
  correct->add_option("--link", options.link, "The link's id")->required();
  correct->add_option("--level", options.level, "Its level, or \"reserve\"")->capture_default_str();
  takes_amount(correct, "The amount to add, as 12.50; --amount=-12.50 subtracts");
  takes_reason(correct, options.reason, parse_correction_reason,
               "count_variance, display_adjustment, equipment_fault, mispaid_award, "
               "regulator_order");

  CLI::App* transfer = declare.act(
      app, "transfer", "Propose to transfer money from one meter to another",
      [](const CommandOptions& given) -> OperatorCommand {
        return Propose{TransferMeter{LinkId(given.link), LevelId(given.level), LinkId(given.to),
                                     LevelId(given.to_level), parse_exact(given.amount).value(),
                                     parse_transfer_reason(given.reason).value(), given.note}};
      });
  transfer->add_option("--from", options.link, "The link it comes from")->required();
  transfer->add_option("--from-level", options.level, "Its level")->capture_default_str();
  transfer->add_option("--to", options.to, "The link it goes to")->required();
  transfer->add_option("--to-level", options.to_level, "Its level")->capture_default_str();
  takes_amount(transfer, "The amount, as 12.50");
  takes_reason(transfer, options.reason, parse_transfer_reason,
               "discontinued, merged, regulator_order");
}

void declare_parameters(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App& parameters =
      *CommandBuilder::group(app, "parameters", "The configuration in force, and changes of it");
  declare.reading(parameters, "show", "Show the configuration in force and the entry that set it",
                  [&options] { return cli::parameters(options.from, options.json); });
  declare.reading_folder(parameters, "history", "List all configurations with their changes",
                         [&options] { return parameters_history(options.from, options.json); });
  CLI::App* change = declare.asking(
      parameters, "change", "Propose a new floor file", [&options](const OperatorClient& by) {
        return change_parameters(by, options.floor, options.catalogue);
      });
  change->add_option("--floor", options.floor, "The new floor file")->required();
  change->add_option("--catalogue", options.catalogue, "The folder with the game chapters");
  change->footer(
      "Every link that it changes must be suspended, with no wager waiting for its hand; links,\n"
      "tables, levels and seeds stay what they are. It takes effect when the manager of the other\n"
      "department confirms it; meters, reserves and claims stay as they are. Then seal the new\n"
      "floor file, restart the agents of changed tables with it, and resume the links. The next\n"
      "start of the controller takes the new file and no other.");
}

void declare_recovery(CLI::App& app, CommandOptions& options, const CommandBuilder& declare) {
  CLI::App* added = declare.reading(
      app, "recover", "Set a new PIN for a manager who cannot sign in, with recovery codes",
      [&options] {
        if (!options.new_codes) return recover({options.from, Badge(options.badge), options.json});
        return new_recovery_codes({options.from, Badge(options.by), options.json});
      });
  CLI::Option* badge = added->add_option("--badge", options.badge, "The manager who is recovered");
  CLI::Option* codes = added->add_flag("--new-codes", options.new_codes,
                                       "Propose new recovery codes; older ones are void then");
  CLI::Option* by = added->add_option("--by", options.by, "Your badge, for --new-codes");
  codes->needs(by);
  by->needs(codes);
  takes_one_of(added, {badge, codes});
  badge->needs(added->get_option("--data"));
  added->footer(
      "--badge needs --data: recovery codes work only on the controller's machine.\n"
      "init printed three codes; two of them recover one manager, and are used up. Of codes that\n"
      "two managers made, two of each are needed. Type them, or put them into\n"
      "$LINKMETER_RECOVERY_CODES with spaces between them, or on standard input, one per line.\n"
      "Every link is suspended, and the manager changes the PIN before anything\n"
      "else. Wrong codes are entries, and each one makes the next try wait, an hour at most.");
}

}  // namespace

void declare_acts(CLI::App& app, CommandOptions& options, std::function<int()>& work) {
  const CommandBuilder declare(options, work);
  declare_people(app, options, declare);
  declare_claims(app, options, declare);
  declare_links(app, options, declare);
  declare_tables(app, options, declare);
  declare_amounts(app, options, declare);
  declare_parameters(app, options, declare);
  declare_enrolments(app, options, declare);
  declare_days(app, options, declare);
  declare_day_acts(app, options, declare);
  declare_history(app, options, declare);
  declare_clock(app, options, declare);
  declare_keys(app, options, declare);
  declare_fund_acts(app, options, declare);
  declare_recovery(app, options, declare);
  declare.reading(app, "proposals", "List the proposals that wait for confirmation",
                  [&options] { return proposals(options.from, options.json); });
  CLI::App* second = declare.asking(
      app, "confirm", "Confirm a proposal of a person of another department",
      [&options](const OperatorClient& by) { return confirm(by, ProposalNumber(options.number)); });
  second->add_option("proposal", options.number, "The proposal's number")
      ->required()
      ->transform(a_number(1));
  second->footer(
      "The table games manager and a finance manager confirm each other's proposals. A key of a\n"
      "table or viewer (enroll, revoke) takes an engineer and one of these managers: either one\n"
      "proposes it, and the other confirms. A proposal expires after two minutes.");
}

}  // namespace linkmeter::cli
