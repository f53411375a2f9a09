#include "controller/slips/pdf_canvas.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <ft2build.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include FT_FREETYPE_H

#include "proto/host/fault.h"

namespace linkmeter {
namespace {

constexpr std::string_view font_folder = "/usr/share/fonts/truetype/dejavu/";
constexpr std::array<std::string_view, 3> font_files = {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf",
                                                        "DejaVuSansMono.ttf"};
constexpr double smallest_share = 0.6;  // of the requested size, before a text is cut

// The fonts, loaded once. Only one canvas at a time may use them, on any thread.
class Fonts {
 public:
  Fonts() {
    if (FT_Init_FreeType(&library_) != 0) throw Fault("FreeType cannot be started");
    for (std::size_t at = 0; at < font_files.size(); ++at) {
      const std::string path = std::string(font_folder) + std::string(font_files[at]);
      if (FT_New_Face(library_, path.c_str(), 0, &files_[at]) != 0) {
        throw Fault(path + " cannot be read; install the package fonts-dejavu-core");
      }
      faces_[at] = cairo_ft_font_face_create_for_ft_face(files_[at], 0);
    }
  }
  Fonts(const Fonts&) = delete;
  Fonts& operator=(const Fonts&) = delete;
  ~Fonts() {
    for (cairo_font_face_t* face : faces_) {
      if (face != nullptr) cairo_font_face_destroy(face);
    }
    cairo_debug_reset_static_data();
    for (FT_Face file : files_) {
      if (file != nullptr) FT_Done_Face(file);
    }
    FT_Done_FreeType(library_);
  }
  [[nodiscard]] cairo_font_face_t* face(Face face) const {
    return faces_[static_cast<std::size_t>(face)];
  }

 private:
  FT_Library library_ = nullptr;
  std::array<FT_Face, font_files.size()> files_{};
  std::array<cairo_font_face_t*, font_files.size()> faces_{};
};

const Fonts& fonts() {
  static const Fonts read;
  return read;
}

std::mutex& fonts_alone() {
  static std::mutex alone;
  return alone;
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int size) {
  auto& text = *static_cast<std::string*>(to);
  for (unsigned int at = 0; at < size; ++at) text.push_back(static_cast<char>(bytes[at]));
  return CAIRO_STATUS_SUCCESS;
}

Fault undrawn(cairo_status_t status) {
  return Fault(std::string("a document cannot be drawn: ") + cairo_status_to_string(status));
}

// Removes the last character (UTF-8).
void drop_last(std::string& text) {
  constexpr unsigned continuation_mask = 0xc0U, continuation = 0x80U;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.back());
    text.pop_back();
    if ((byte & continuation_mask) != continuation) return;
  }
}

}  // namespace

PdfCanvas::PdfCanvas(double width, double height, const About& about) : alone_(fonts_alone()) {
  static_cast<void>(fonts());
  surface_ = cairo_pdf_surface_create_for_stream(append, &bytes_, width, height);
  const auto say = [this](cairo_pdf_metadata_t what, const std::string& text) {
    if (!text.empty()) cairo_pdf_surface_set_metadata(surface_, what, text.c_str());
  };
  say(CAIRO_PDF_METADATA_TITLE, about.title);
  say(CAIRO_PDF_METADATA_CREATE_DATE, about.created_at);
  say(CAIRO_PDF_METADATA_SUBJECT, about.subject);
  cairo_pdf_surface_set_metadata(surface_, CAIRO_PDF_METADATA_CREATOR, "Linkmeter");
  begin();
}

PdfCanvas::PdfCanvas(int width, int height) : alone_(fonts_alone()) {
  static_cast<void>(fonts());
  surface_ = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  begin();
}

void PdfCanvas::begin() {
  cairo_ = cairo_create(surface_);
  // Text widths then scale linearly, so that fitted text fits.
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo_, options);
  cairo_font_options_destroy(options);
}

PdfCanvas::~PdfCanvas() {
  cairo_destroy(cairo_);
  cairo_surface_destroy(surface_);
}

void PdfCanvas::choose(Face face, double size) {
  cairo_set_font_face(cairo_, fonts().face(face));
  cairo_set_font_size(cairo_, size);
}

double PdfCanvas::width_of(std::string_view text, double size, Face face) {
  choose(face, size);
  cairo_text_extents_t extents{};
  cairo_text_extents(cairo_, std::string(text).c_str(), &extents);
  return extents.x_advance;
}

void PdfCanvas::write(double left, double baseline, std::string_view text, double size, Face face,
                      double width_max) {
  std::string shown(text);
  const double wide = width_of(shown, size, face);
  constexpr double to_be_sure = 0.999;
  if (wide > width_max) {
    size *= std::max(to_be_sure * width_max / wide, smallest_share);
  }
  while (shown.size() > 1 && width_of(shown, size, face) > width_max) {
    constexpr std::string_view ellipsis = "\u2026";
    if (shown.ends_with(ellipsis)) shown.resize(shown.size() - ellipsis.size());
    drop_last(shown);
    shown += ellipsis;
  }
  choose(face, size);
  cairo_move_to(cairo_, left, baseline);
  cairo_show_text(cairo_, shown.c_str());
}

std::size_t PdfCanvas::bytes_within(std::string_view text, double size, double width_max,
                                    Face face) {
  std::string part(text);
  while (true) {
    const std::size_t fitting = part.size();
    if (width_of(part, size, face) <= width_max) return fitting;
    drop_last(part);
    if (part.empty()) return fitting;
  }
}

std::vector<std::string> PdfCanvas::lines_of(std::string_view text, double size, double width_max,
                                             Face face) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::string longer = (line.empty() ? "" : line + " ") + std::string(word);
    if (width_of(longer, size, face) <= width_max) {
      line = longer;
      text.remove_prefix(std::min(end + 1, text.size()));
    } else if (!line.empty()) {
      lines.push_back(std::exchange(line, {}));
    } else {
      const std::size_t part = bytes_within(word, size, width_max, face);
      lines.emplace_back(word.substr(0, part));
      text.remove_prefix(part);
    }
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

void PdfCanvas::stamp(const std::string& text, double middle_x, double middle_y, double size,
                      double strength) {
  constexpr double angle = -0.42;
  const double wide = width_of(text, size, Face::bold);
  cairo_save(cairo_);
  cairo_translate(cairo_, middle_x, middle_y);
  cairo_rotate(cairo_, angle);
  cairo_set_source_rgba(cairo_, 0.78, 0, 0.05, strength);
  cairo_move_to(cairo_, -wide / 2, size * 0.36);
  cairo_show_text(cairo_, text.c_str());
  cairo_restore(cairo_);
}

void PdfCanvas::write_right(double right, double baseline, std::string_view text, double size,
                            Face face) {
  write(right - width_of(text, size, face), baseline, text, size, face);
}

void PdfCanvas::line(double left, double top, double right, double bottom, double thickness,
                     bool dashed) {
  constexpr std::array<double, 2> dashes = {4, 4};
  cairo_set_line_width(cairo_, thickness);
  cairo_set_dash(cairo_, dashes.data(), dashed ? 2 : 0, 0);
  cairo_move_to(cairo_, left, top);
  cairo_line_to(cairo_, right, bottom);
  cairo_stroke(cairo_);
  cairo_set_dash(cairo_, nullptr, 0, 0);
}

void PdfCanvas::frame(double left, double top, double width, double height, double thickness) {
  cairo_set_line_width(cairo_, thickness);
  cairo_rectangle(cairo_, left, top, width, height);
  cairo_stroke(cairo_);
}

void PdfCanvas::fill(double left, double top, double width, double height) {
  cairo_rectangle(cairo_, left, top, width, height);
  cairo_fill(cairo_);
}

void PdfCanvas::colour(unsigned rgb) {
  constexpr double whole = 255;
  const auto part = [rgb](unsigned shift) { return ((rgb >> shift) & 0xffU) / whole; };
  cairo_set_source_rgb(cairo_, part(16), part(8), part(0));
}

void PdfCanvas::grey(double level) { cairo_set_source_rgb(cairo_, level, level, level); }

void PdfCanvas::red() { cairo_set_source_rgb(cairo_, 0.7, 0.05, 0.1); }

std::string PdfCanvas::pdf() {
  cairo_show_page(cairo_);
  cairo_surface_finish(surface_);
  return whole();
}

std::string PdfCanvas::png() {
  const cairo_status_t status = cairo_surface_write_to_png_stream(surface_, append, &bytes_);
  if (status != CAIRO_STATUS_SUCCESS) throw undrawn(status);
  return whole();
}

std::string PdfCanvas::whole() {
  for (const cairo_status_t status : {cairo_status(cairo_), cairo_surface_status(surface_)}) {
    if (status != CAIRO_STATUS_SUCCESS) throw undrawn(status);
  }
  return bytes_;
}

}  // namespace linkmeter
