#include "controller/slips/slip_pdf.h"

#include <algorithm>
#include <cstddef>

#include "controller/slips/pdf_canvas.h"
#include "meters/values/hex.h"

namespace linkmeter {
namespace {

// US Letter in points; two parts, one above the other.
constexpr double page_width = 612, page_height = 792, part_height = page_height / 2;
constexpr double edge_left = 40, edge_right = page_width - 40, middle = 316, column_width = 256;
constexpr double whole_width = edge_right - edge_left;
constexpr double label_width = 92, row_height = 14, text_size = 9.5, small_size = 7;
constexpr double sentence_size = 8.5, sentence_height = 11.5;
// Space for a signature by hand.
constexpr double hand_height = 26;

class Part {
 public:
  Part(PdfCanvas& sheet, double top, const SlipDocument& slip,
       const std::vector<std::string>& voided)
      : sheet_(sheet), top_(top), slip_(slip), voided_(voided) {}

  void write(std::string_view part_name) {
    head(part_name);
    const double signed_at = top_ + part_height - 44;
    is_drawn_ = false;
    while (body() > signed_at - hand_height && scale_ > scale_min) scale_ -= 0.05;
    is_drawn_ = true;
    body();
    foot(signed_at);
    if (!voided_.empty()) {
      sheet_.stamp("VOID", page_width / 2, top_ + part_height / 2, 150, 0.28);
    }
    sheet_.grey(0);
  }

 private:
  static constexpr double scale_min = 0.4;

  void head(std::string_view part_name) {
    sheet_.grey(0);
    fitted(top_ + 40, slip_.house, 12, column_width * 1.3, Face::bold);
    sheet_.write(edge_left, top_ + 54, "Progressive payout slip", 9);
    sheet_.write_right(edge_right, top_ + 40, "No. " + slip_.number, 17, Face::mono);
    sheet_.write_right(edge_right, top_ + 54, part_name, 9, Face::bold);
    sheet_.line(edge_left, top_ + 61, edge_right, top_ + 61, 1.2);
    sheet_.write(edge_left, top_ + 88, slip_.amount, 24, Face::bold, column_width);
    cards(edge_left + std::min(column_width, sheet_.width_of(slip_.amount, 24, Face::bold)) + 20);
  }

  // All cards, scaled to the available width.
  void cards(double left) {
    if (slip_.cards.empty()) return;
    const auto count = static_cast<double>(slip_.cards.size());
    const double each = std::min(26.0, (edge_right - left) / count);
    double x = edge_right - each * count;
    for (const std::string& one : slip_.cards) {
      card(x, top_ + 66, one, each / 26);
      x += each;
    }
  }

  // A card as displayed: "9\u2665"; hearts and diamonds are red.
  void card(double x, double top, const std::string& text, double size) {
    const double width = 24 * size, height = 32 * size;
    sheet_.grey(0);
    sheet_.frame(x, top, width, height, 0.8 * size);
    if (text.size() != 2 || text == "Xx") {
      sheet_.write(x + 3 * size, top + 20 * size, text == "Xx" ? "Joker" : text, 7 * size,
                   Face::bold, width - 6 * size);
      return;
    }
    constexpr std::string_view suits = "cdhs";
    constexpr std::array<std::string_view, 4> pictures = {"\u2663", "\u2666", "\u2665", "\u2660"};
    const std::size_t suit = suits.find(text[1]);
    if (suit == 1 || suit == 2) sheet_.red();
    sheet_.write(x + 4 * size, top + 13 * size, text[0] == 'T' ? "10" : text.substr(0, 1),
                 11 * size, Face::bold);
    if (suit < suits.size()) sheet_.write(x + 8 * size, top + 28 * size, pictures[suit], 13 * size);
    sheet_.grey(0);
  }

  // Draws the sentence, or only measures it. Returns the baseline of the next line.
  double lines(double x, double baseline, const std::string& text, double size, double width,
               double height, Face face = Face::plain) {
    for (const std::string& line : sheet_.lines_of(text, size * scale_, width, face)) {
      if (is_drawn_) sheet_.write(x, baseline, line, size * scale_, face);
      baseline += height * scale_;
    }
    return baseline;
  }

  double rows(double x, double baseline, const std::vector<SlipDocument::Row>& all,
              std::size_t from, std::size_t to, double width) {
    for (std::size_t at = from; at < to; ++at) {
      sheet_.grey(0.35);
      if (is_drawn_) {
        sheet_.write(x, baseline, all[at].label, text_size * scale_, Face::plain, label_width - 4);
      }
      sheet_.grey(0);
      baseline = lines(x + label_width, baseline, all[at].value, text_size, width - label_width,
                       row_height, Face::bold);
    }
    return baseline;
  }

  // Draws the part between the amount and the signatures by hand. Returns its end.
  double body() {
    double baseline = top_ + 116;
    for (const std::string& sentence : voided_) {
      sheet_.red();
      baseline =
          lines(edge_left, baseline, sentence, text_size, whole_width, row_height, Face::bold);
    }
    if (!voided_.empty()) baseline += 5 * scale_;
    const std::size_t half = (slip_.facts.size() + 1) / 2;
    baseline = std::max(
        rows(edge_left, baseline, slip_.facts, 0, half, middle - edge_left - 12),
        rows(middle, baseline, slip_.facts, half, slip_.facts.size(), edge_right - middle));
    baseline += 6 * scale_;
    if (is_drawn_) {
      const double rule = baseline - 12 * scale_;
      sheet_.line(edge_left, rule, edge_right, rule, 0.4);
    }
    for (const std::string& sentence : slip_.arithmetic) {
      baseline = lines(edge_left, baseline, sentence, sentence_size, whole_width, sentence_height);
    }
    baseline = tax(baseline + 6 * scale_) + 10 * scale_;
    return rows(edge_left, baseline, slip_.signed_by, 0, slip_.signed_by.size(), whole_width);
  }

  double tax(double baseline) {
    const double tax_top = baseline - 11 * scale_;
    const Face face = slip_.is_taxable ? Face::bold : Face::plain;
    baseline =
        lines(edge_left, baseline, slip_.tax, sentence_size, whole_width, sentence_height, face);
    if (slip_.is_taxable && is_drawn_) {
      const double bottom = baseline + (5 - sentence_height) * scale_;
      sheet_.frame(edge_left - 4, tax_top, whole_width + 8, bottom - tax_top, 1);
    }
    return baseline;
  }

  void foot(double baseline) {
    const auto count = std::max<std::size_t>(slip_.to_be_signed.size(), 1);
    const double each = whole_width / static_cast<double>(count);
    for (std::size_t at = 0; at < slip_.to_be_signed.size(); ++at) {
      const double from = edge_left + each * static_cast<double>(at);
      sheet_.line(from, baseline, from + each - 14, baseline, 0.6);
      sheet_.write(from, baseline + 9, slip_.to_be_signed[at], small_size, Face::plain, each - 14);
    }
    sheet_.grey(0.35);
    fitted(top_ + part_height - 16, slip_.evidence, small_size, whole_width, Face::plain);
  }

  // Draws the text on one line, as large as it fits.
  void fitted(double baseline, const std::string& text, double size, double width, Face face) {
    constexpr double to_be_sure = 0.999;
    const double wide = sheet_.width_of(text, size, face);
    if (wide > width) size *= to_be_sure * width / wide;
    sheet_.write(edge_left, baseline, text, size, face);
  }

  PdfCanvas& sheet_;
  double top_;
  const SlipDocument& slip_;
  const std::vector<std::string>& voided_;
  double scale_ = 1;
  bool is_drawn_ = true;
};

// Decodes a PDF text string in ASCII, as cairo writes it: in brackets, or in hexadecimal UTF-16.
std::string ascii_of(std::string_view text) {
  if (text.starts_with('(')) return std::string(text.substr(1, text.find(')') - 1));
  constexpr std::string_view begin = "<FEFF";
  if (!text.starts_with(begin)) return "";
  text = text.substr(begin.size(), text.find('>') - begin.size());
  std::string digits(text);
  std::transform(digits.begin(), digits.end(), digits.begin(), [](char digit) {
    return digit >= 'A' && digit <= 'F' ? static_cast<char>(digit - 'A' + 'a') : digit;
  });
  const std::string units = parse_hex(digits).value_or("");
  std::string ascii;
  for (std::size_t at = 1; at < units.size(); at += 2) ascii += units[at];
  return ascii;
}

}  // namespace

std::string slip_pdf(const SlipDocument& slip, const std::vector<std::string>& voided) {
  constexpr bool ascii = true;
  const std::string told = document_json(slip).dump(-1, ' ', ascii, Json::error_handler_t::replace);
  PdfCanvas sheet(page_width, page_height,
                  {"Slip " + slip.number + (voided.empty() ? "" : ", VOID"), slip.issued_at, told});
  Part(sheet, 0, slip, voided).write(slip_parts[0]);
  sheet.grey(0.5);
  sheet.line(0, part_height, page_width, part_height, 0.6, true);
  Part(sheet, part_height, slip, voided).write(slip_parts[1]);
  return sheet.pdf();
}

std::optional<SlipDocument> document_in(std::string_view pdf) {
  constexpr std::string_view key = "/Subject ";
  const std::size_t at = pdf.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const Json json = Json::parse(ascii_of(pdf.substr(at + key.size())), nullptr, false);
  return json.is_object() ? document_of(json) : std::nullopt;
}

}  // namespace linkmeter
