// Target: a parser of external bytes with the properties that must hold for every input. Each
// tests/fuzz/*_target.cc makes some targets, and every program that links them has all: the replay
// of the corpus (corpus_test.cc, in every build) and linkmeter-fuzz (fuzz_main.cc, with libFuzzer).
//
// Law: a judge returns for all bytes. Each property is an INVARIANT.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter::fuzz {

using Judge = void (*)(std::string_view bytes);

struct Target {
  std::string name;
  Judge judge = nullptr;
  // The number of damaged inputs that every build replays: fewer for targets that read a whole
  // house.
  std::size_t replayed_max = 500;
};

// By name.
const std::vector<Target>& targets();
// nullptr: there is none.
const Target* find_target(std::string_view name);

// Bytes that real writers made, from the test support's fixtures: the corpus consists of these.
struct Seed {
  std::string target, name, bytes;
};
std::vector<Seed> seeds();
// The part for files and command lines.
std::vector<Seed> seeds_of_files();

// The judges, each described at its definition.
void judge_from_table(std::string_view bytes);
void judge_to_table(std::string_view bytes);
void judge_control(std::string_view bytes);
void judge_journal(std::string_view bytes);
void judge_state_row(std::string_view bytes);
void judge_device(std::string_view bytes);
void judge_floor_file(std::string_view bytes);
void judge_chapter(std::string_view bytes);
void judge_script(std::string_view bytes);
void judge_dealer_action(std::string_view bytes);
void judge_csv(std::string_view bytes);
void judge_import(std::string_view bytes);
void judge_totals(std::string_view bytes);
void judge_segment(std::string_view bytes);
void judge_bundle(std::string_view bytes);
void judge_web(std::string_view bytes);
void judge_web_command(std::string_view bytes);
void judge_texts(std::string_view bytes);
void judge_manifest(std::string_view bytes);
void judge_witness(std::string_view bytes);
void judge_restore_marker(std::string_view bytes);
void judge_sign_record(std::string_view bytes);
void judge_sign_feed(std::string_view bytes);
void judge_certificate(std::string_view bytes);
void judge_seal_key(std::string_view bytes);
void judge_credentials(std::string_view bytes);
void judge_file_manifest(std::string_view bytes);
void judge_hand(std::string_view bytes);
void judge_command_line(std::string_view bytes);
void judge_outbox(std::string_view bytes);
void judge_place(std::string_view bytes);
void judge_decision(std::string_view bytes);
void judge_table_agent(std::string_view bytes);

}  // namespace linkmeter::fuzz
