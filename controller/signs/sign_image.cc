#include "controller/signs/sign_image.h"

#include <algorithm>

#include "controller/slips/pdf_canvas.h"
#include "meters/values/invariant.h"

namespace linkmeter {
namespace {

constexpr int side_min = 320, side_max = 4'096;
constexpr unsigned night = 0x0b0f16, gold = 0xffd25e, chalk = 0xf2f4f7, slate = 0x9aa6b5;

class BonusDraw {
 public:
  BonusDraw(const SignImage& still, int width, int height)
      : image_(still), canvas_(width, height), across_(width), down_(height) {}

  std::string png() {
    canvas_.colour(night);
    canvas_.fill(0, 0, across_, down_);
    canvas_.colour(slate);
    write(unit_ * 1.4, image_.house, unit_ * 0.8);
    canvas_.colour(chalk);
    write(unit_ * 2.9, image_.title, unit_ * 1.3, Face::bold);
    canvas_.colour(slate);
    write(unit_ * 4.0, image_.wager, unit_ * 0.7);
    const double lines_top =
        down_ - unit_ * 2.4 - line_height_ * static_cast<double>(image_.lines.size());
    double top = unit_ * 4.6;
    if (image_.win) {
      const double high = std::min((lines_top - top) * 0.58, across_ * 0.6);
      top = draw_win(*image_.win, top, top + high);
    }
    if (!image_.notice.empty()) {
      canvas_.colour(chalk);
      write((top + lines_top) / 2, image_.notice, unit_ * 1.8, Face::bold);
    } else {
      draw_levels(top, lines_top);
    }
    canvas_.colour(gold);
    for (std::size_t at = 0; at < image_.lines.size(); ++at) {
      write(lines_top + line_height_ * (static_cast<double>(at) + 0.7), image_.lines[at],
            unit_ * 0.8, Face::bold);
    }
    canvas_.colour(slate);
    write(down_ - unit_ * 1.4, image_.tables, unit_ * 0.6);
    write(down_ - unit_ * 0.5, image_.as_of, unit_ * 0.55);
    return canvas_.png();
  }

 private:
  // Draws the text centred in a column, shrunk to fit; without a column, centred in the image.
  void write(double baseline, const std::string& text, double size, Face face = Face::plain,
             double column_left = 0, double column_width = 0) {
    if (column_width == 0) column_width = across_;
    const double room = column_width * 0.92;
    const double wide = std::min(canvas_.width_of(text, size, face), room);
    canvas_.write(column_left + (column_width - wide) / 2, baseline, text, size, face, room);
  }

  // Returns the top of the area below.
  double draw_win(const SignImage::Win& win, double top, double bottom) {
    canvas_.colour(gold);
    canvas_.fill(0, top, across_, bottom - top);
    canvas_.colour(night);
    const double high = bottom - top;
    // The largest size that fits both height and width.
    const double widest = canvas_.width_of(win.amount, 1, Face::bold);
    const double amount = std::min(high * 0.38, across_ * 0.86 / widest);
    const double words = std::min(high * 0.13, unit_ * 1.5);
    double baseline = top + (high - amount - words * 4.2) / 2 + words * 1.1;
    write(baseline, win.title, words, Face::bold);
    write(baseline += amount * 1.05, win.amount, amount, Face::bold);
    write(baseline += words * 1.6, win.place, words * 0.85);
    write(baseline += words * 1.3, win.state, words * 0.85, Face::bold);
    return bottom + unit_ * 0.4;
  }

  // The levels are one below the other, or side by side if a win takes the rest of a wide image.
  void draw_levels(double top, double bottom) {
    if (image_.levels.empty()) return;
    const bool is_row = image_.win && across_ > down_;
    const auto count = static_cast<double>(image_.levels.size());
    const double width = is_row ? across_ / count : across_;
    const double each = is_row ? bottom - top : (bottom - top) / count;
    double size = std::min(each * 0.55, unit_ * 4);
    for (const SignImage::Level& level : image_.levels) {  // all of the same size
      size = std::min(size, width * 0.86 / canvas_.width_of(level.amount, 1, Face::bold));
    }
    const double small = std::max(size * 0.27, unit_ * 0.6);
    for (std::size_t at = 0; at < image_.levels.size(); ++at) {
      const SignImage::Level& level = image_.levels[at];
      const double place = static_cast<double>(at);
      const double left = is_row ? width * place : 0;
      const double begin = (is_row ? top : top + each * place) + (each - size - small * 1.6) / 2;
      canvas_.colour(gold);
      write(begin + size * 0.95, level.amount, size, Face::bold, left, width);
      canvas_.colour(slate);
      write(begin + size * 0.95 + small * 1.5,
            level.level + (level.won_by.empty() ? "" : dot + level.won_by), small, Face::plain,
            left, width);
    }
  }

  static constexpr const char* dot = " \u00b7 ";
  const SignImage& image_;
  PdfCanvas canvas_;
  double across_, down_;
  double unit_ = std::min(across_ / 32, down_ / 18);
  double line_height_ = unit_ * 1.2;
};

}  // namespace

std::string sign_png(const SignImage& still, int width, int height) {
  INVARIANT(width >= side_min && width <= side_max && height >= side_min && height <= side_max);
  return BonusDraw(still, width, height).png();
}

}  // namespace linkmeter
