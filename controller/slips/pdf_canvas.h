// PdfCanvas: a page or an image to draw on (cairo), in points or pixels from the top left. It uses
// the DejaVu font files, not the system's choice, so that a document looks the same everywhere.
#pragma once

#include <cairo.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace linkmeter {

enum class Face : unsigned char { plain, bold, mono };

class PdfCanvas {
 public:
  // Metadata of a document.
  struct About {
    std::string title;
    std::string created_at;  // ISO 8601
    std::string subject;
  };
  // A document of one page (PDF). Throws Fault if a font is missing.
  PdfCanvas(double width, double height, const About& about);
  // An image (PNG). Throws Fault if a font is missing.
  PdfCanvas(int width, int height);
  PdfCanvas(const PdfCanvas&) = delete;
  PdfCanvas& operator=(const PdfCanvas&) = delete;
  ~PdfCanvas();

  // Draws text on a baseline. Text that is wider than `width_max` is shrunk; if it is still too
  // wide, it is cut with an ellipsis.
  void write(double left, double baseline, std::string_view text, double size,
             Face face = Face::plain, double width_max = 1e9);
  // Breaks a sentence into lines of at most that width; a wider word is broken.
  std::vector<std::string> lines_of(std::string_view text, double size, double width_max,
                                    Face face = Face::plain);
  // Draws text across the whole page, red and translucent, rising from left to right.
  void stamp(const std::string& text, double middle_x, double middle_y, double size,
             double strength);
  void write_right(double right, double baseline, std::string_view text, double size,
                   Face face = Face::plain);
  void line(double left, double top, double right, double bottom, double thickness,
            bool dashed = false);
  void frame(double left, double top, double width, double height, double thickness);
  void fill(double left, double top, double width, double height);
  // Colours of all later drawing.
  void grey(double level);  // 0 black, 1 white
  void red();
  void colour(unsigned rgb);  // 0xffcc33
  [[nodiscard]] double width_of(std::string_view text, double size, Face face);

  // The finished document. Nothing can be drawn after that. Throws Fault.
  [[nodiscard]] std::string pdf();
  [[nodiscard]] std::string png();

 private:
  void begin();
  [[nodiscard]] std::string whole();
  void choose(Face face, double size);
  // How many bytes of the text fit: whole characters, at least one.
  std::size_t bytes_within(std::string_view text, double size, double width_max, Face face);

  std::unique_lock<std::mutex> alone_;  // only one thread at a time may use the fonts
  std::string bytes_;
  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
};

}  // namespace linkmeter
