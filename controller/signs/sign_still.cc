#include "controller/signs/sign_still.h"

#include <algorithm>

#include "controller/slips/sheet.h"
#include "meters/check.h"

namespace linkmeter {
namespace {

constexpr int side_min = 320, side_max = 4'096;
constexpr unsigned night = 0x0b0f16, gold = 0xffd25e, chalk = 0xf2f4f7, slate = 0x9aa6b5;

// Writes in the middle of the picture, no wider than `width_max`.
void write_centred(Sheet& sheet, double middle, double baseline, const std::string& text,
                   double size, Face face, double width_max) {
  const double wide = std::min(sheet.width_of(text, size, face), width_max);
  sheet.write(middle - wide / 2, baseline, text, size, face, width_max);
}

}  // namespace

std::string sign_png(const SignStill& still, int width, int height) {
  CHECK(width >= side_min && width <= side_max && height >= side_min && height <= side_max);
  Sheet sheet(width, height);
  const double across = width, down = height, middle = across / 2, room = across * 0.92;
  const double unit = std::min(across / 32, down / 18);
  sheet.colour(night);
  sheet.fill(0, 0, across, down);
  sheet.colour(slate);
  write_centred(sheet, middle, unit * 1.4, still.house, unit * 0.8, Face::plain, room);
  sheet.colour(chalk);
  write_centred(sheet, middle, unit * 2.9, still.title, unit * 1.3, Face::bold, room);
  sheet.colour(slate);
  write_centred(sheet, middle, unit * 4.0, still.wager, unit * 0.7, Face::plain, room);
  const double top = unit * 4.6, bottom = down - unit * 2.4;
  if (!still.notice.empty()) {
    sheet.colour(chalk);
    write_centred(sheet, middle, (top + bottom) / 2, still.notice, unit * 1.8, Face::bold, room);
  } else if (!still.levels.empty()) {
    const double each = (bottom - top) / static_cast<double>(still.levels.size());
    const double size = std::min(each * 0.55, unit * 4);
    for (std::size_t at = 0; at < still.levels.size(); ++at) {
      const SignStill::Level& level = still.levels[at];
      const double begin = top + each * static_cast<double>(at);
      sheet.colour(gold);
      write_centred(sheet, middle, begin + size * 1.05, level.amount, size, Face::bold, room);
      sheet.colour(slate);
      write_centred(sheet, middle, begin + size * 1.05 + size * 0.36,
                    level.level + (level.won_by.empty() ? "" : " \u00b7 " + level.won_by),
                    size * 0.27, Face::plain, room);
    }
  }
  sheet.colour(slate);
  write_centred(sheet, middle, down - unit * 1.4, still.tables, unit * 0.6, Face::plain, room);
  write_centred(sheet, middle, down - unit * 0.5, still.as_of, unit * 0.55, Face::plain, room);
  return sheet.png();
}

}  // namespace linkmeter
