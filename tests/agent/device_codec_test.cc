#include "table-agent/device/device_codec.h"

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "proto/codec/round_script.h"
#include "table-agent/round/round_record.h"
#include "table-agent/round/wager_text.h"
#include "tests/support/capture_binding.h"

namespace linkmeter::device_codec_test {
namespace {

std::string mistake_of(const std::string& line) {
  const auto read = read_device_line(line);
  const auto* mistake = std::get_if<LineError>(&read);
  return mistake == nullptr ? "" : std::string(name(*mistake));
}

std::string word_mistake(const std::string& text) {
  const auto parsed = parse_device_input(text);
  const auto* mistake = std::get_if<LineError>(&parsed);
  return mistake == nullptr ? "" : std::string(name(*mistake));
}

template <class Word>
Word word(const std::string& text) {
  const auto parsed = parse_device_input(text);
  REQUIRE(std::holds_alternative<DeviceInput>(parsed));
  REQUIRE(std::holds_alternative<Word>(std::get<DeviceInput>(parsed)));
  return std::get<Word>(std::get<DeviceInput>(parsed));
}

std::string line_of(std::uint64_t number, const std::string& text) {
  std::string line = write_device_line({number, text});
  line.pop_back();
  return line;
}

}  // namespace

TEST_CASE("the check is the CRC-16 whose value for 123456789 is published: 29b1") {
  CHECK_EQ(device_check("123456789"), 0x29b1);
}

TEST_CASE("every written line is read back") {
  const DeviceMessage line{7, "placed 2 crazy-4/five-card 500 own"};
  const std::string bytes = write_device_line(line);
  CHECK_EQ(bytes.back(), '\n');
  const auto read = read_device_line(bytes.substr(0, bytes.size() - 1));
  REQUIRE(std::holds_alternative<DeviceMessage>(read));
  CHECK((std::get<DeviceMessage>(read) == line));
}

TEST_CASE("every malformed line has a named mistake") {
  CHECK_EQ(mistake_of(""), "check_missing");
  CHECK_EQ(mistake_of("7 alive x"), "check_missing");
  CHECK_EQ(mistake_of("7 alive x*12"), "check_missing");
  CHECK_EQ(mistake_of("7 alive x*XYZW"), "check_missing");
  CHECK_EQ(mistake_of("7 alive x*0000"), "check_wrong");
  std::string upper = line_of(7, "bets open");
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'f' && &letter > &upper[upper.find('*')]) {
      letter = static_cast<char>(letter - 'a' + 'A');
    }
  }
  CHECK_EQ(mistake_of(upper), "check_missing");
  CHECK_EQ(mistake_of(line_of(7, "bets open") + "\r"), "not_ascii");
  CHECK_EQ(mistake_of(std::string("7 al\0ive*0000", 13)), "not_ascii");
  CHECK_EQ(mistake_of("7 aliv\xc3\xa9*0000"), "not_ascii");
  for (const std::string body : {"x bets open", "-1 bets open", "07 bets open", "7", " bets open",
                                 "18446744073709551616 bets open"}) {
    CAPTURE(body);
    const std::string digits = "0123456789abcdef";
    std::string line = body + "*";
    for (int shift = 12; shift >= 0; shift -= 4) line += digits[(device_check(body) >> shift) & 15];
    CHECK_EQ(mistake_of(line), "number_malformed");
  }
}

TEST_CASE("a line has 255 bytes, an event 4,095") {
  const auto padded = [](const std::string& text, std::size_t size) {
    return line_of(1, text + std::string(size - line_of(1, text).size(), 'x'));
  };
  CHECK_EQ(mistake_of(padded("alive ", 255)), "");
  CHECK_EQ(mistake_of(padded("alive ", 255) + "x"), "line_too_long");
  CHECK_EQ(mistake_of(padded("event ", 4'095)), "");
  CHECK_EQ(mistake_of(padded("event ", 4'095) + "x"), "line_too_long");
  CHECK_EQ(mistake_of(std::string(1'000'000, '1')), "line_too_long");
}

TEST_CASE("a flipped bit anywhere is detected") {
  const std::string line = line_of(12, "placed 2 crazy-4/five-card 500 own");
  for (std::size_t at = 0; at < line.size(); ++at) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = line;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      CHECK_NE(mistake_of(damaged), "");
    }
  }
}

TEST_CASE("every command of a device is read") {
  CHECK((word<device::Hello>("hello 1 7 counted s") == device::Hello{1, 7, true, "s"}));
  CHECK((word<device::Hello>("hello 1 7 uncounted s") == device::Hello{1, 7, false, "s"}));
  CHECK((word<device::Alive>("alive -") == device::Alive{"-"}));
  word<device::Again>("again");
  CHECK((word<device::State>("state 3 open r-1") == device::State{3, true, RoundId("r-1")}));
  CHECK((word<device::State>("state 0 closed -") == device::State{0, false, RoundId()}));
  const AskedWager wager{Seat(4), WagerId("crazy-4/five-card-hand-bonus"), Amount::cents(100),
                         true};
  CHECK((word<input::WagerPlaced>("placed " + wager_text(wager)).wager == wager));
  CHECK((word<device::Held>("held " + wager_text(wager)).wager == wager));
  CHECK((word<input::WagerRemoved>("removed 4 a/b own") ==
         input::WagerRemoved{Seat(4), WagerId("a/b"), false}));
  CHECK(word<input::BettingSwitched>("bets open").open);
  CHECK_FALSE(word<input::BettingSwitched>("bets closed").open);
  CHECK_EQ(word<input::ChipCount>("count 12").chips, 12);
  CHECK((word<device::Faulty>("fault coil-2 0 does not answer") ==
         device::Faulty{"coil-2", Seat(0), "does not answer"}));
  CHECK((word<device::Sound>("sound coil-2 3") == device::Sound{"coil-2", Seat(3)}));
  CHECK_EQ(word<device::Event>(R"(event {"event":"close"})").text, R"({"event":"close"})");
}

TEST_CASE("every wrong command has a named mistake") {
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"", "word_unknown"},
      {"place 1 a/b 500 own", "word_unknown"},
      {"BETS open", "word_unknown"},
      {"placed", "argument_missing"},
      {"placed 1 a/b 500", "argument_missing"},
      {"placed 1 a/b 500 own own", "argument_unexpected"},
      {"placed  1 a/b 500 own", "argument_malformed"},
      {"placed 256 a/b 500 own", "argument_malformed"},
      {"placed -1 a/b 500 own", "argument_malformed"},
      {"placed 1 a*b 500 own", "argument_malformed"},
      {"placed 1 a/b 5.00 own", "argument_malformed"},
      {"placed 1 a/b -500 own", "argument_malformed"},
      {"placed 1 a/b 05 own", "argument_malformed"},
      {"placed 1 a/b 9223372036854775807 own", "argument_malformed"},
      {"placed 1 a/b 100000000001 own", "argument_malformed"},
      {"placed 1 a/b 500 dealers", "argument_malformed"},
      {"bets", "argument_missing"},
      {"bets shut", "argument_malformed"},
      {"count", "argument_missing"},
      {"count 4294967296", "argument_malformed"},
      {"count 3 4", "argument_unexpected"},
      {"state 65 open r", "argument_malformed"},
      {"state 1 open", "argument_missing"},
      {"hello 1 7 s", "argument_malformed"},
      {"fault coil 1", "argument_missing"},
      {"sound coil", "argument_missing"},
      {"event", "argument_missing"},
      {"again 3", "argument_unexpected"},
  };
  for (const auto& [text, name] : wrong) {
    CAPTURE_BINDING(text);
    CHECK_EQ(word_mistake(text), name);
  }
}

TEST_CASE("a stream is split into lines, however its bytes arrive") {
  const std::string stream = "one\ntwo\n\nthree\n";
  for (std::size_t at = 0; at <= stream.size(); ++at) {
    LineSplitter cutter;
    std::vector<std::string> lines;
    for (const std::string& part : {stream.substr(0, at), stream.substr(at)}) {
      cutter.add(part);
      while (auto line = cutter.next()) lines.push_back(*line);
    }
    CHECK((lines == std::vector<std::string>{"one", "two", "", "three"}));
  }
}

TEST_CASE("a line without an end is reported once and skipped, and uses no memory") {
  LineSplitter cutter;
  std::size_t told = 0;
  for (int part = 0; part < 1'000; ++part) {
    cutter.add(std::string(1'000, 'x'));
    while (auto line = cutter.next()) {
      ++told;
      CHECK_EQ(mistake_of(*line), "line_too_long");
      CHECK_LE(line->size(), device_event_bytes_max);
    }
  }
  CHECK_EQ(told, 1);
  cutter.add("rest\nnext\n");
  CHECK_EQ(cutter.next(), "next");
}

TEST_CASE("a stored round is read back; other bytes are rejected") {
  RoundRecord round;
  round.house = "f00d0001";
  round.number = 12;
  round.phase = RoundRecord::Phase::blocked;
  round.light = RoundRecord::Light::accepted;
  round.chips = 3;
  round.chips_expected = 2;
  round.why = Refusal::link_suspended;
  round.wagers = {{Seat(2), WagerId("a/b"), Amount::cents(500), false},
                  {Seat(3), WagerId("a/c"), Amount::cents(100), true}};
  round.wins = {{Seat(2), LineId("flush"), Amount::cents(7'00), ClaimNumber(4), AwardKind::line},
                {Seat(3), LineId("flush"), Amount(), std::nullopt, AwardKind::envy}};
  round.wins[0].on_dealer = true;
  round.note_submitted("an event", MessageNumber(12));
  const std::string place = round.place();
  const auto read = RoundRecord::read(place);
  REQUIRE(read.has_value());
  CHECK((*read == round));
  CHECK(read->was_submitted("an event"));
  CHECK_FALSE(read->was_submitted("another"));
  for (std::size_t length = 0; length < place.size(); ++length) {
    const auto part = RoundRecord::read(std::string_view(place).substr(0, length));
    if (part) CHECK_FALSE((*part == round));
  }
  for (const char* wrong : {"", "a", "a 1", "a 1 over off - - x", "a 1 asleep off - - 0",
                            "a 1 over off - - 0;x 1", "a 1 over off - - 0;w 1 2"}) {
    CAPTURE(wrong);
    CHECK_FALSE(RoundRecord::read(wrong).has_value());
  }
}

TEST_CASE("an event's text has the form of a floor script") {
  const std::string wager = R"("seat":2,"wager":"a/b","amount":"5.00")";
  const std::vector<std::string> lines = {
      R"({"event":"lock","round":"r","wagers":[{)" + wager +
          R"(,"on":"dealer"}],"chips":1,"by":"D"})",
      R"({"event":"resolve","round":"r","wagers":[{)" + wager + R"(}],"by":"F"})",
      R"({"event":"show","round":"r","hands":[{"seat":3,"cards":["As","Td"],"folded":true}],)"
      R"("dealer":[],"board":["Xx"],"draw":{"magic":"7h","seat":0}})",
      R"({"event":"close","round":"r"})",
      R"({"event":"void","round":"r","reason":"misdeal","by":"D"})",
      R"({"event":"pot","round":"r","pot":"42.00","board":["2c"],"showdown":true,)"
      R"("hands":[{"seat":1,"cards":[],"folded":false,"won":"41.00"}]})",
  };
  for (const std::string& line : lines) {
    const auto parsed = parse_script_line(line);
    REQUIRE(std::holds_alternative<ScriptEvent>(parsed));
    CHECK_EQ(event_text(std::get<TableCommand>(std::get<ScriptEvent>(parsed))), line);
  }
}

}  // namespace linkmeter::device_codec_test
