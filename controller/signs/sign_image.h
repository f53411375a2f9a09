// SignImage: one frame of a sign as an image, for print and for places without a browser. It shows
// its time and journal entry, because an image is always out of date.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace linkmeter {

struct SignImage {
  struct Level {
    std::string level;
    std::string amount;  // "$50,000.90"
    std::string won_by;  // "royal flush wins 100%"
  };
  struct Win {
    std::string title;   // "Straight flush · major"
    std::string amount;  // "$5,000.70"
    std::string place;   // "Table C4-01 · T-1041 · Seat 2"
    std::string state;   // "Pending"
  };
  std::string house;
  std::string title;   // "Crazy 4 Poker · Five Card"
  std::string wager;   // "$5.00 wager"
  std::string notice;  // replaces the amounts: "Suspended: reader broken"; "": none
  std::vector<Level> levels;
  std::optional<Win> win;          // large
  std::vector<std::string> lines;  // other wins, one each
  std::string tables;              // "Tables C4-01 C4-02"
  std::string as_of;               // "as of 2026-03-01 14:05:09 UTC · entry 812"
};

// PNG. REQUIRES: sides of 320 to 4,096 pixels. Throws Fault.
[[nodiscard]] std::string sign_png(const SignImage& still, int width, int height);

}  // namespace linkmeter
