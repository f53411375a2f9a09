#include <set>
#include <string>
#include <utility>

#include "controller/cli/shell/command.h"
#include "controller/time/clock.h"
#include "meters/values/person.h"
#include "meters/values/time_text.h"

namespace linkmeter::cli {

namespace {

std::string_view standing(const Person& person, Timestamp now) {
  if (person.removed) return "removed";
  return person.is_locked(now) ? "locked" : "active";
}

bool ends_by_itself(const Person& person, Timestamp now) {
  return !person.removed && person.is_locked(now) && person.locked_until != until_new_pin;
}

Json person_json(const Person& person, Timestamp now) {
  Json roles = Json::array();
  for (const Role role : person.roles) roles.push_back(name(role));
  return Json{{"badge", person.badge.text()},
              {"name", person.name},
              {"department", name(person.department)},
              {"roles", std::move(roles)},
              {"state", standing(person, now)},
              {"locked_until",
               ends_by_itself(person, now) ? Json(text(person.locked_until)) : Json(nullptr)},
              {"failures", person.failures},
              {"pin_is_given", person.pin_set_by_other}};
}

// "locked to 14:05Z", "PIN given", or the state.
std::string state_cell(const Json& person) {
  const Json& until = person.at("locked_until");
  if (!until.is_null()) return "locked to " + until.get<std::string>().substr(11, 5) + "Z";
  const std::string state = person.at("state");
  return state == "active" && person.at("pin_is_given") == true ? "PIN given" : state;
}

std::string roles_cell(const Json& roles) {
  std::string all;
  for (const Json& role : roles) all += (all.empty() ? "" : " ") + role.get<std::string>();
  return all;
}

Json people_json(const Journal&, const State& state) {
  const Timestamp now = Clock().now();
  Json all = Json::array();
  for (const auto& [badge, person] : state.people()) all.push_back(person_json(person, now));
  return all;
}

std::set<Role> roles_of(const CommandOptions& given) {
  std::set<Role> roles;
  for (const std::string& role : given.roles) roles.insert(parse_role(role).value());
  return roles;
}

AddPerson add_person(const CommandOptions& given) {
  Person person;
  person.badge = Badge(given.badge);
  person.name = given.name;
  person.department = parse_department(given.department).value();
  person.roles = roles_of(given);
  return {std::move(person)};
}

OperatorCommand set_pin(const CommandOptions& given) {
  if (given.badge.empty() || given.badge == given.by) return ChangePin{};
  return Propose{ResetPin{Badge(given.badge), {}}};
}

void takes_roles(CLI::App* command, CommandBuilder& declare) {
  command
      ->add_option("--role", declare.options.roles,
                   "A role of that department, e.g. floorperson; may be repeated")
      ->required()
      ->allow_extra_args(false)
      ->check(read_by(parse_role,
                      "one of dealer, floorperson, poker_shift_supervisor, table_games_manager, "
                      "cashier, accountant, finance_manager, security_officer, engineer, auditor"));
}

}  // namespace

void declare_people(CLI::App& app, CommandBuilder& declare) {
  CLI::App& person = CommandBuilder::group(app, "person", "List, add, change or remove persons");
  declare.showing(person, "list", "List all persons, also removed ones", people_json,
                  {left("badge"), left("name"), left("department"), left("state", "", state_cell),
                   left("roles", "roles", roles_cell)});
  const auto takes_badge = [&declare](CLI::App* command) {
    return declare.takes(command, "badge", &CommandOptions::badge, "The person's badge");
  };
  CLI::App* add =
      declare.proposal(person, "add",
                       "Propose a new person; the PIN is $LINKMETER_NEW_PIN, or random and printed "
                       "once; it must be changed first: person pin --by BADGE",
                       add_person);
  takes_badge(add);
  declare.takes(add, "--name", &CommandOptions::name, "The person's name");
  declare
      .takes(add, "--department", &CommandOptions::department,
             "table_games, finance, security, systems or oversight")
      ->check(
          read_by(parse_department, "one of table_games, finance, security, systems, oversight"));
  takes_roles(add, declare);
  takes_badge(declare.proposal(
      person, "remove", "Propose to remove a person",
      [](const CommandOptions& given) { return RemovePerson{Badge(given.badge)}; }));
  CLI::App* roles = declare.proposal(person, "roles", "Propose other roles for a person",
                                     [](const CommandOptions& given) {
                                       return SetRoles{Badge(given.badge), roles_of(given)};
                                     });
  takes_badge(roles);
  takes_roles(roles, declare);
  takes_badge(declare.act(person, "pin",
                          "Change your PIN; or propose a new one for another person, which unlocks "
                          "that person and must be changed first",
                          set_pin))
      ->required(false);
}

}  // namespace linkmeter::cli
