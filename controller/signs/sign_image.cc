#include "controller/signs/sign_image.h"

#include <algorithm>

#include "controller/slips/pdf_canvas.h"
#include "meters/values/check.h"

namespace linkmeter {
namespace {

constexpr int side_min = 320, side_max = 4'096;
constexpr unsigned night = 0x0b0f16, gold = 0xffd25e, chalk = 0xf2f4f7, slate = 0x9aa6b5;

class BonusDraw {
 public:
  BonusDraw(const SignStill& still, int width, int height)
      : still_(still), sheet_(width, height), across_(width), down_(height) {}

  std::string png() {
    sheet_.colour(night);
    sheet_.fill(0, 0, across_, down_);
    sheet_.colour(slate);
    write(unit_ * 1.4, still_.house, unit_ * 0.8);
    sheet_.colour(chalk);
    write(unit_ * 2.9, still_.title, unit_ * 1.3, Face::bold);
    sheet_.colour(slate);
    write(unit_ * 4.0, still_.wager, unit_ * 0.7);
    const double lines_top =
        down_ - unit_ * 2.4 - line_height_ * static_cast<double>(still_.lines.size());
    double top = unit_ * 4.6;
    if (still_.win) {
      const double high = std::min((lines_top - top) * 0.58, across_ * 0.6);
      top = draw_win(*still_.win, top, top + high);
    }
    if (!still_.notice.empty()) {
      sheet_.colour(chalk);
      write((top + lines_top) / 2, still_.notice, unit_ * 1.8, Face::bold);
    } else {
      draw_levels(top, lines_top);
    }
    sheet_.colour(gold);
    for (std::size_t at = 0; at < still_.lines.size(); ++at) {
      write(lines_top + line_height_ * (static_cast<double>(at) + 0.7), still_.lines[at],
            unit_ * 0.8, Face::bold);
    }
    sheet_.colour(slate);
    write(down_ - unit_ * 1.4, still_.tables, unit_ * 0.6);
    write(down_ - unit_ * 0.5, still_.as_of, unit_ * 0.55);
    return sheet_.png();
  }

 private:
  // In the middle of a column, no wider than its room; without one, of the picture.
  void write(double baseline, const std::string& text, double size, Face face = Face::plain,
             double column_left = 0, double column_width = 0) {
    if (column_width == 0) column_width = across_;
    const double room = column_width * 0.92;
    const double wide = std::min(sheet_.width_of(text, size, face), room);
    sheet_.write(column_left + (column_width - wide) / 2, baseline, text, size, face, room);
  }

  // The top of what is below it.
  double draw_win(const SignStill::Win& win, double top, double bottom) {
    sheet_.colour(gold);
    sheet_.fill(0, top, across_, bottom - top);
    sheet_.colour(night);
    const double high = bottom - top;
    // As large as its room, on whatever side that is.
    const double widest = sheet_.width_of(win.amount, 1, Face::bold);
    const double amount = std::min(high * 0.38, across_ * 0.86 / widest);
    const double words = std::min(high * 0.13, unit_ * 1.5);
    double baseline = top + (high - amount - words * 4.2) / 2 + words * 1.1;
    write(baseline, win.title, words, Face::bold);
    write(baseline += amount * 1.05, win.amount, amount, Face::bold);
    write(baseline += words * 1.6, win.place, words * 0.85);
    write(baseline += words * 1.3, win.state, words * 0.85, Face::bold);
    return bottom + unit_ * 0.4;
  }

  // One below the other; beside a win on a wide picture, side by side.
  void draw_levels(double top, double bottom) {
    if (still_.levels.empty()) return;
    const bool is_row = still_.win && across_ > down_;
    const auto count = static_cast<double>(still_.levels.size());
    const double width = is_row ? across_ / count : across_;
    const double each = is_row ? bottom - top : (bottom - top) / count;
    double size = std::min(each * 0.55, unit_ * 4);
    for (const SignStill::Level& level : still_.levels) {  // all of one size
      size = std::min(size, width * 0.86 / sheet_.width_of(level.amount, 1, Face::bold));
    }
    const double small = std::max(size * 0.27, unit_ * 0.6);
    for (std::size_t at = 0; at < still_.levels.size(); ++at) {
      const SignStill::Level& level = still_.levels[at];
      const double place = static_cast<double>(at);
      const double left = is_row ? width * place : 0;
      const double begin = (is_row ? top : top + each * place) + (each - size - small * 1.6) / 2;
      sheet_.colour(gold);
      write(begin + size * 0.95, level.amount, size, Face::bold, left, width);
      sheet_.colour(slate);
      write(begin + size * 0.95 + small * 1.5,
            level.level + (level.won_by.empty() ? "" : dot + level.won_by), small, Face::plain,
            left, width);
    }
  }

  static constexpr const char* dot = " \u00b7 ";
  const SignStill& still_;
  Sheet sheet_;
  double across_, down_;
  double unit_ = std::min(across_ / 32, down_ / 18);
  double line_height_ = unit_ * 1.2;
};

}  // namespace

std::string sign_png(const SignStill& still, int width, int height) {
  CHECK(width >= side_min && width <= side_max && height >= side_min && height <= side_max);
  return BonusDraw(still, width, height).png();
}

}  // namespace linkmeter
