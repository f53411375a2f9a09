// Sheet: a page or a picture to write and draw on (cairo), in points or pixels from the top left.
// The fonts are DejaVu's files, not what a system happens to choose, so that a document looks the
// same everywhere.
#pragma once

#include <cairo.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter {

enum class Face : unsigned char { plain, bold, mono };

class Sheet {
 public:
  // What a document says of itself to programs.
  struct About {
    std::string title;
    std::string created_at;  // ISO 8601
    std::string subject;
  };
  // A document of one page (PDF). Throws Fault where a font is missing.
  Sheet(double width, double height, const About& about);
  // A picture (PNG). Throws Fault likewise.
  Sheet(int width, int height);
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;
  ~Sheet();

  // Writes on a baseline. What is wider than `width_max` is written smaller, and what is then still
  // wider is cut, with an ellipsis.
  void write(double left, double baseline, std::string_view text, double size,
             Face face = Face::plain, double width_max = 1e9);
  // A sentence as lines that are no wider than that; a word that is wider is broken.
  std::vector<std::string> lines_of(std::string_view text, double size, double width_max,
                                    Face face = Face::plain);
  // Across everything else, red and so that one reads through it, rising from left to right.
  void stamp(const std::string& text, double middle_x, double middle_y, double size,
             double strength);
  void write_right(double right, double baseline, std::string_view text, double size,
                   Face face = Face::plain);
  void line(double left, double top, double right, double bottom, double thickness,
            bool dashed = false);
  void frame(double left, double top, double width, double height, double thickness);
  void fill(double left, double top, double width, double height);
  // Of what is drawn from then on.
  void grey(double level);  // 0 black, 1 white
  void red();
  void colour(unsigned rgb);  // 0xffcc33
  [[nodiscard]] double width_of(std::string_view text, double size, Face face);

  // The finished document. Nothing more can be written. Throws Fault.
  [[nodiscard]] std::string pdf();
  [[nodiscard]] std::string png();

 private:
  void begin();
  [[nodiscard]] std::string whole();
  void choose(Face face, double size);
  // How many bytes of the text have room, whole characters, at least one.
  std::size_t bytes_within(std::string_view text, double size, double width_max, Face face);

  std::unique_lock<std::mutex> alone_;  // the fonts are one thread's at a time
  std::string bytes_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
};

}  // namespace linkmeter
