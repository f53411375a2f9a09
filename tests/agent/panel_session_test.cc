#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "proto/host/credentials.h"
#include "proto/host/file_descriptor.h"
#include "table-agent/session.h"
#include "tests/support/device_bench.h"
#include "tests/support/memory_outbox.h"
#include "tests/support/memory_panel_transport.h"

#include <doctest/doctest.h>

namespace linkmeter::panel_session_test {

namespace {

const TableId table("C4-01");
const KeyPair controller_keys = make_key_pair();

std::optional<Credentials> credentials() {
  static const KeyPair own = make_key_pair();
  return Credentials{"table", table.text(), own, controller_keys.public_key};
}

// A controller that knows D-1's PIN, accepts every message, and finds a flush in every show.
class House {
 public:
  House() {
    router_.set(zmq::sockopt::linger, 0);
    router_.set(zmq::sockopt::curve_server, true);
    router_.set(zmq::sockopt::curve_secretkey, controller_keys.secret_key);
    router_.bind("tcp://127.0.0.1:*");
    endpoint = router_.get(zmq::sockopt::last_endpoint);
    stop_.bind("inproc://stop");
    thread_ = std::thread([this] { serve(); });
  }
  House(const House&) = delete;
  House& operator=(const House&) = delete;
  ~House() { join(); }
  void join() {
    if (!thread_.joinable()) return;
    stop_.send(zmq::str_buffer("stop"), zmq::send_flags::none);
    thread_.join();
  }

  std::string endpoint;
  std::vector<TableCommand> submitted;
  std::vector<std::string> floors;  // from the Hellos
  bool floor_was_called = false;
  bool refuses_floor = false;

 private:
  void serve() {
    zmq::socket_t stopped(context_, zmq::socket_type::pair);
    stopped.connect("inproc://stop");
    std::array<zmq::pollitem_t, 2> items{
        {{router_.handle(), 0, ZMQ_POLLIN, 0}, {stopped.handle(), 0, ZMQ_POLLIN, 0}}};
    while (true) {
      zmq::poll(items.data(), items.size(), std::chrono::milliseconds(-1));
      if ((items[1].revents & ZMQ_POLLIN) != 0) return;
      zmq::message_t peer, frame;
      static_cast<void>(router_.recv(peer));
      static_cast<void>(router_.recv(frame));
      const auto from = decode_from_table(frame.to_string_view());
      if (from)
        send(peer.to_string(), std::visit([this](const auto& one) { return answer(one); }, *from));
    }
  }
  ToTable answer(const Hello& hello) {
    floors.push_back(hello.floor);
    Welcome welcome{table, MessageNumber(submitted.size()), head(),
                    refuses_floor ? Refusal::configuration_differs : Refusal::none};
    welcome.question = hello.question;
    return welcome;
  }
  ToTable answer(const Heartbeat& heartbeat) {
    floor_was_called = floor_was_called || heartbeat.calls_floor;
    return HeartbeatAnswer{table, {}, false};
  }
  ToTable answer(const TableSignIn& asked) {
    if (asked.pin != "123456")
      return TableSignedIn{asked.question, Refusal::pin_wrong, asked.badge, {}, {}, {}};
    return TableSignedIn{asked.question, Refusal::none, asked.badge,
                         "Dora",         {"dealer"},    {"run_rounds"}};
  }
  ToTable answer(const TableMessage& message) {
    Acknowledgement one{message.number, EntryNumber(1 + message.number.value()), Refusal::none};
    if (std::holds_alternative<ShowHands>(message.command)) {
      one.awards = {{Seat(2), LineId("flush"), Amount::dollars(200), {}, AwardKind::line}};
    }
    if (message.number.value() > submitted.size()) submitted.push_back(message.command);
    return Acknowledgements{{one}, head()};
  }
  [[nodiscard]] Head head() const {
    Head head;
    head.entry = EntryNumber(1 + submitted.size());
    return head;
  }
  void send(const std::string& peer, const ToTable& reply) {
    router_.send(zmq::buffer(peer), zmq::send_flags::sndmore);
    router_.send(zmq::buffer(encode(reply)), zmq::send_flags::none);
  }

  zmq::context_t context_{1};
  zmq::socket_t router_{context_, zmq::socket_type::router};
  zmq::socket_t stop_{context_, zmq::socket_type::pair};
  std::thread thread_;
};

// A table with a panel whose dealer does one thing after the other, each after the answer to the
// last.
struct Dealer {
  MemoryOutbox outbox;
  MemoryPanelTransport edge;
  Panel panel{edge, "Demo Casino"};
  TableOffers terms = device_table();
  std::array<int, 2> stop{};
  std::vector<PanelRequest> todo;
  std::size_t done = 0;
  std::vector<std::string> told;

  Dealer() {
    REQUIRE(::pipe(stop.data()) == 0);
    edge.woken = ::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    edge.on_answer = [this] { go_on(); };
  }
  Dealer(const Dealer&) = delete;
  Dealer& operator=(const Dealer&) = delete;
  ~Dealer() {
    for (const int descriptor : {stop[0], stop[1], edge.woken}) ::close(descriptor);
  }
  void go_on() {
    if (done == todo.size()) {
      REQUIRE(::write(stop[1], "x", 1) == 1);
      return;
    }
    edge.words.push_back(todo[done++]);
    const std::uint64_t one = 1;
    REQUIRE(::write(edge.woken, &one, sizeof one) == sizeof one);
  }
  void run(House& house, const std::string& floor = {}) {
    LiveDriver play({terms, nullptr, &panel, outbox.place(LiveDriver::name),
                     outbox.unacknowledged(), [] { return std::string("f00d0001"); },
                     [](const std::string&) {}});
    TableAgent agent(table, outbox, {}, floor);
    Uplink uplink(house.endpoint, credentials);
    Session::Setup setup{
        agent, uplink, play, stop[0], house.endpoint, [this](const std::string& line) {
          told.push_back(line);
          if (line.starts_with("connected")) go_on();
          if (line.find("other parameters") != std::string::npos) go_on();
        }};
    setup.panel = &panel;
    setup.table = &terms;
    Session(setup).run();
    house.join();
  }
  void touch(const std::string& text) {
    todo.emplace_back(PanelRequest{100 + todo.size(), touch_of(text)});
  }
};

}  // namespace

TEST_CASE("a round from the sign-in to the close is sent over the wire as the dealer entered it") {
  House house;
  Dealer dealer;
  dealer.todo.emplace_back(PanelRequest{1, {}, PanelSignature{Badge("D-1"), "999999"}});
  dealer.todo.emplace_back(PanelRequest{2, {}, PanelSignature{Badge("D-1"), "123456"}});
  const std::string round = R"(,"round":"vf00d0001-000001")";
  dealer.touch(R"({"id":"1","do":"call_floor","calls":true})");
  dealer.touch(R"({"id":"2","do":"open_bets"})");
  dealer.touch(R"({"id":"3","do":"place","seat":2,"wager":"crazy-4/five-card","amount":"5.00")" +
               round + "}");
  dealer.touch(R"({"id":"4","do":"close_bets")" + round + "}");
  dealer.touch(R"({"id":"5","do":"count","chips":1)" + round + "}");
  dealer.touch(R"({"id":"6","do":"show","hands":[{"seat":2,"cards":["2h","5h","9h","Jh","Kh"]}])" +
               round + "}");
  dealer.touch(R"({"id":"7","do":"close")" + round + "}");
  dealer.run(house, "\x01mark");
  CHECK_EQ(dealer.edge.answers[1], "pin_wrong");
  CHECK_EQ(dealer.edge.people.at(2).name, "Dora");
  for (std::uint64_t ticket = 102; ticket < 109; ++ticket)
    CHECK_EQ(dealer.edge.answers.at(ticket), "");
  // After the answer "done", the view shows the action.
  const auto shows = [&dealer](std::uint64_t ticket, const std::string& what) {
    return dealer.edge.shown_before.at(ticket).find(what) != std::string::npos;
  };
  CHECK(shows(102, R"("calls_floor":true)"));
  CHECK(shows(103, R"("mode":"open")"));
  CHECK(shows(104, R"("light":"placed")"));
  CHECK(shows(105, R"("mode":"counting")"));
  CHECK(shows(106, R"("chips":1)"));
  CHECK(shows(107, R"("state":"waiting")"));
  CHECK(shows(108, R"("mode":"ending")"));
  REQUIRE_EQ(house.submitted.size(), 3);
  CHECK_EQ(std::get<LockRound>(house.submitted[0]).by, Badge("D-1"));
  CHECK_EQ(std::get<ShowHands>(house.submitted[1]).by, Badge("D-1"));
  CHECK_EQ(std::get<CloseRound>(house.submitted[2]).by, Badge("D-1"));
  CHECK(house.floor_was_called);
  CHECK_EQ(house.floors.at(0), "\x01mark");
  // The PIN was sent in the question, and is nowhere else.
  for (const std::string& picture : dealer.edge.pictures) {
    CHECK_EQ(picture.find("123456"), std::string::npos);
  }
  CHECK(dealer.outbox.unacknowledged().empty());
  const std::string& last = dealer.edge.pictures.back();
  CHECK_NE(last.find(R"("amount":"200.00")"), std::string::npos);
}

TEST_CASE("a table with another configuration than the one in force is told so and locks") {
  House house;
  house.refuses_floor = true;
  Dealer dealer;
  dealer.touch(R"({"id":"1","do":"open_bets"})");
  dealer.todo.emplace_back(PanelRequest{2, {}, PanelSignature{Badge("D-1"), "123456"}});
  dealer.run(house, "\x01old");
  CHECK_EQ(dealer.edge.answers.at(100), "configuration_differs");
  CHECK_EQ(dealer.edge.answers.at(2), "no_controller");
  CHECK(house.submitted.empty());
  REQUIRE_EQ(dealer.told.size(), 1);
  CHECK_NE(dealer.told[0].find("start it with the one in force"), std::string::npos);
}

}  // namespace linkmeter::panel_session_test
