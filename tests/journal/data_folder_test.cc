#include "controller/store/data_folder.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "controller/integrity/self_check.h"
#include "controller/store/audit.h"
#include "controller/store/lmdb_journal.h"
#include "controller/store/own_node.h"
#include "tests/support/one_table_house.h"
#include "tests/support/scoped_directory.h"

namespace linkmeter::data_folder_test {
namespace {

const Timestamp moment = Timestamp::from_microseconds(1'700'000'000'000'000);

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Fault& fault) {
    return fault.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::ptrdiff_t files_in(const std::filesystem::path& path) {
  return std::distance(std::filesystem::directory_iterator(path),
                       std::filesystem::directory_iterator());
}

}  // namespace

TEST_CASE("a new data folder holds entry 1 with the seeds, is the owner's alone, and loads") {
  const ScopedDirectory here;
  const auto data = here.path() / "data";
  create_data_folder(data, one_table_floor(), moment);
  require_data_folder(data);

  struct stat status {};
  REQUIRE(::stat(data.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0700U);
  CHECK(files_in(here.path()) == 1);  // no temporary file is left

  const auto journal = LmdbJournal::open(journal_path(data));
  const State state = prove(*journal).state.value();
  CHECK(state.last_entry() == EntryNumber(1));
  CHECK(state.link(LinkIndex(0)).levels.at(0).pool.held == Amount::dollars(100));
  CHECK(state.floor() == one_table_floor().floor);
  FloorOpened opened = opened_floor(*journal);
  const std::vector<Enrolment> enrolments = std::exchange(opened.enrolments, {});
  CHECK(opened == one_table_floor());
  REQUIRE(enrolments.size() == 2);  // the table, and one reader of the feed
  for (const Enrolment& enrolment : enrolments) {
    const auto file = credentials_path(data, enrolment.kind, enrolment.name);
    const Credentials made = read_credentials(file);  // checks that only the owner can read it
    CHECK(made.name == enrolment.name);
    CHECK(made.keys.public_key == enrolment.key);
    CHECK(made.controller_key == controller_credentials(data).keys.public_key);
  }
  CHECK(enrolments.at(0).name == "T-01");
  CHECK(state.table_of(enrolments.at(0).key) == TableIndex(0));
  CHECK(state.table_of(enrolments.at(1).key) == std::nullopt);
  CHECK(audit(*journal).is_clean());
}

TEST_CASE("a folder may be made with the name of its node, whose key is the controller's") {
  const ScopedDirectory here;
  const auto data = here.path() / "data";
  create_data_folder(data, one_table_floor(), moment, {}, "a");
  CHECK((read_own_node(data) == OwnNode{"a", true}));
  const auto journal = LmdbJournal::open(journal_path(data));
  const State state = prove(*journal).state.value();
  const Enrolment* node = state.enrolments().find(EnrolmentKind::node, "a");
  REQUIRE(node != nullptr);
  CHECK(node->key == controller_credentials(data).keys.public_key);
  CHECK(state.table_of(node->key) == std::nullopt);
}

TEST_CASE("the file of a node holds its name, and whether it has caught up") {
  const ScopedDirectory here;
  CHECK_FALSE(read_own_node(here.path()).has_value());
  for (const bool has_caught_up : {false, true, true}) {
    write_own_node(here.path(), {"b", has_caught_up});
    CHECK((read_own_node(here.path()) == OwnNode{"b", has_caught_up}));
  }
  for (const std::int64_t epoch : {std::int64_t{0}, std::int64_t{8}, limits::writer_epoch_max}) {
    write_own_node(here.path(), {"b", true, epoch});
    CHECK((read_own_node(here.path()) == OwnNode{"b", true, epoch}));
  }
  for (const char* damaged :
       {"", "b", "\n", "a b\n", "b\nfollow\n", "b\nfollows", "b\n\n", "b\njoined\n", "b\njoined \n",
        "b\njoined 8", "b\njoined 08\n", "b\njoined -1\n", "b\njoined 8x\n",
        "b\njoined 1152921504606846977\n", "b\njoined 99999999999999999999\n",
        "b\nfollows\njoined 8\n", "b\njoined 8\nfollows\n"}) {
    CAPTURE(damaged);
    std::ofstream(here.path() / own_node_name) << damaged;
    CHECK(contains(fault_of([&] { static_cast<void>(read_own_node(here.path())); }), "damaged"));
  }
}

TEST_CASE("a node whose journal others have writes alone only after it has left") {
  using Last = std::optional<WriterChanged>;
  const Last none, of_a = WriterChanged{"a", 7}, left{{"a", 8, WriterReason::left, "b", 0}};
  const auto may = [](const OwnNode& own, const Last& last) { return may_write_alone(own, last); };
  CHECK(may({"a"}, none));
  CHECK(may({"a"}, left));
  CHECK_FALSE(may({"a"}, of_a));
  CHECK_FALSE(may({"b"}, left));
  CHECK((joined("a", none) == OwnNode{"a", true, 0}));
  CHECK_FALSE(may(joined("a", none), none));
  CHECK_FALSE(may(joined("a", left), left));
  CHECK(may(joined("a", of_a), left));
  const Last again = writer_after(left, {"a", EntryNumber(9), {}, true});
  CHECK(may(joined("a", left), again));
  CHECK_FALSE(may(joined("b", left), again));
}

TEST_CASE("another key pair of the controller is in all credentials of its folder") {
  const ScopedDirectory here;
  const auto data = here.path() / "data";
  create_data_folder(data, one_table_floor(), moment);
  const KeyPair old = controller_credentials(data).keys;
  const auto pending = keys_path(data) / "controller.credentials.next-0123456789abcdef";
  std::ofstream(pending) << "a key that was proposed";
  const std::string made = renew_controller_keys(data);
  const Credentials own = controller_credentials(data);
  CHECK(own.keys.public_key == made);
  CHECK(own.controller_key == made);
  CHECK(own.keys.public_key != old.public_key);
  CHECK(own.keys.secret_key != old.secret_key);
  CHECK_FALSE(std::filesystem::exists(pending));
  CHECK(operator_credentials(data).controller_key == made);
  for (const auto& [kind, name] :
       {std::pair{EnrolmentKind::table, "T-01"}, std::pair{EnrolmentKind::viewer, "feed"}}) {
    CHECK(read_credentials(credentials_path(data, kind, name)).controller_key == made);
  }
}

TEST_CASE("a data folder is created only where nothing exists") {
  const ScopedDirectory here;
  const auto data = here.path() / "data";
  std::filesystem::create_directory(data);
  CHECK(contains(fault_of([&] { create_data_folder(data, one_table_floor(), moment); }),
                 data.string() + " exists already"));
  CHECK(files_in(data) == 0);
  std::filesystem::remove(data);

  std::ofstream(data) << "a file";
  CHECK(contains(fault_of([&] { create_data_folder(data, one_table_floor(), moment); }), "exists"));
  std::filesystem::remove(data);

  std::filesystem::create_symlink(here.path() / "nowhere", data);
  CHECK(contains(fault_of([&] { create_data_folder(data, one_table_floor(), moment); }), "exists"));
  std::filesystem::remove(data);

  create_data_folder(data, one_table_floor(), moment);
  CHECK(contains(fault_of([&] { create_data_folder(data, one_table_floor(), moment); }), "exists"));
  CHECK(contains(
      fault_of([&] { create_data_folder(here.path() / "no" / "data", one_table_floor(), moment); }),
      "No such file or directory"));
  CHECK(files_in(here.path()) == 1);
}

TEST_CASE("a path may end with a slash") {
  const ScopedDirectory here;
  create_data_folder(here.path() / "data" / "", one_table_floor(), moment);
  require_data_folder(here.path() / "data" / "");
  CHECK(files_in(here.path()) == 1);
}

TEST_CASE("a folder that is not a data folder is reported as such") {
  const ScopedDirectory here;
  std::ofstream(here.path() / "file") << "x";
  for (const auto& path : {here.path(), here.path() / "nowhere", here.path() / "file"}) {
    CHECK(contains(fault_of([&] { require_data_folder(path); }),
                   path.string() + " is not a Linkmeter data folder"));
  }
}

TEST_CASE("the endpoints file has two lines with the newest endpoints") {
  const ScopedDirectory here;
  write_endpoints(here.path(), "tcp://127.0.0.1:1", "tcp://127.0.0.1:2");
  write_endpoints(here.path(), "tcp://127.0.0.1:3", "tcp://127.0.0.1:4");
  std::ostringstream text;
  text << std::ifstream(endpoints_path(here.path())).rdbuf();
  CHECK(text.str() == "tcp://127.0.0.1:3\ntcp://127.0.0.1:4\n");
  write_endpoints(here.path(), "tcp://127.0.0.1:5", "tcp://127.0.0.1:6", "https://house:7");
  std::ostringstream pages;
  pages << std::ifstream(endpoints_path(here.path())).rdbuf();
  CHECK(pages.str() == "tcp://127.0.0.1:5\ntcp://127.0.0.1:6\nhttps://house:7\n");
  CHECK(files_in(here.path()) == 1);
}

}  // namespace linkmeter::data_folder_test
