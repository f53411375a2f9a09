// Sheet: a page or a picture to write and draw on (cairo), in points or pixels from the top left.
// The fonts are DejaVu's files, not what a system happens to choose, so that a document looks the
// same everywhere.
#pragma once

#include <cairo.h>

#include <mutex>
#include <string>
#include <string_view>

namespace linkmeter {

enum class Face : unsigned char { plain, bold, mono };

class Sheet {
 public:
  // A document of one page (PDF). `created_at`: ISO 8601, what the document says of itself. Throws
  // Fault where a font is missing.
  Sheet(double width, double height, const std::string& title, const std::string& created_at);
  // A picture (PNG). Throws Fault likewise.
  Sheet(int width, int height);
  Sheet(const Sheet&) = delete;
  Sheet& operator=(const Sheet&) = delete;
  ~Sheet();

  // Writes on a baseline. What is wider than `width_max` is written smaller, and what is then still
  // wider is cut, with an ellipsis.
  void write(double left, double baseline, std::string_view text, double size,
             Face face = Face::plain, double width_max = 1e9);
  // Writes a sentence on as many lines as it needs; the baseline of the line after it.
  double write_lines(double left, double baseline, std::string_view text, double size,
                     double width_max, double line_height, Face face = Face::plain);
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

  std::unique_lock<std::mutex> alone_;  // the fonts are one thread's at a time
  std::string bytes_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
};

}  // namespace linkmeter
