#include "controller/slips/slip_pdf.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "controller/slips/sheet.h"

namespace linkmeter {
namespace {

// US Letter in points; two parts, one above the other.
constexpr double page_width = 612, page_height = 792, part_height = page_height / 2;
constexpr double edge_left = 40, edge_right = page_width - 40, middle = 316, column_width = 256;
constexpr double label_width = 92, row_height = 14.5, text_size = 9.5, small_size = 7;
constexpr double sentence_size = 8.5, sentence_height = 11.5;

// A card as it is read: "9\u2665"; hearts and diamonds are red.
void draw_card(Sheet& sheet, double x, double top, const std::string& card) {
  constexpr double width = 24, height = 32;
  sheet.grey(0);
  sheet.frame(x, top, width, height, 0.8);
  if (card.size() != 2 || card == "Xx") {
    sheet.write(x + 3, top + 20, card == "Xx" ? "Joker" : card, 7, Face::bold, width - 6);
    return;
  }
  constexpr std::string_view suits = "cdhs";
  constexpr std::array<std::string_view, 4> pictures = {"\u2663", "\u2666", "\u2665", "\u2660"};
  const std::size_t suit = suits.find(card[1]);
  if (suit == 1 || suit == 2) sheet.red();
  sheet.write(x + 4, top + 13, card[0] == 'T' ? "10" : card.substr(0, 1), 11, Face::bold);
  if (suit < suits.size()) sheet.write(x + 8, top + 28, pictures[suit], 13);
  sheet.grey(0);
}

double write_rows(Sheet& sheet, double x, double baseline,
                  const std::vector<SlipDocument::Row>& rows, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at) {
    sheet.grey(0.35);
    sheet.write(x, baseline, rows[at].label, text_size, Face::plain, label_width - 4);
    sheet.grey(0);
    sheet.write(x + label_width, baseline, rows[at].value, text_size, Face::bold,
                column_width - label_width);
    baseline += row_height;
  }
  return baseline;
}

void write_part(Sheet& sheet, double top, const SlipDocument& slip, std::string_view part) {
  sheet.grey(0);
  sheet.write(edge_left, top + 40, slip.house, 12, Face::bold, column_width);
  sheet.write(edge_left, top + 54, "Progressive payout slip", 9);
  sheet.write_right(edge_right, top + 40, "No. " + slip.number, 17, Face::mono);
  sheet.write_right(edge_right, top + 54, part, 9, Face::bold);
  sheet.line(edge_left, top + 61, edge_right, top + 61, 1.2);
  sheet.write(edge_left, top + 88, slip.amount, 24, Face::bold, column_width);
  double x = edge_right - 26.0 * static_cast<double>(std::min<std::size_t>(slip.cards.size(), 10));
  for (std::size_t at = 0; at < slip.cards.size() && at < 10; ++at, x += 26) {
    draw_card(sheet, x, top + 66, slip.cards[at]);
  }

  const std::size_t half = (slip.facts.size() + 1) / 2;
  const double rows_top = top + 116;
  const double below =
      std::max(write_rows(sheet, edge_left, rows_top, slip.facts, 0, half),
               write_rows(sheet, middle, rows_top, slip.facts, half, slip.facts.size()));
  double baseline = below + 6;
  sheet.line(edge_left, baseline - 12, edge_right, baseline - 12, 0.4);
  for (const std::string& sentence : slip.arithmetic) {
    baseline = sheet.write_lines(edge_left, baseline, sentence, sentence_size,
                                 edge_right - edge_left, sentence_height);
  }
  baseline += 6;
  const double tax_top = baseline - 11;
  const Face tax_face = slip.is_taxable ? Face::bold : Face::plain;
  baseline = sheet.write_lines(edge_left, baseline, slip.tax, sentence_size, edge_right - edge_left,
                               sentence_height, tax_face);
  if (slip.is_taxable) {
    sheet.frame(edge_left - 4, tax_top, edge_right - edge_left + 8,
                baseline - sentence_height + 5 - tax_top, 1);
  }
  baseline += 10;
  write_rows(sheet, edge_left, baseline, slip.signed_by, 0, slip.signed_by.size());

  const double lines = top + part_height - 44;
  const double each = (edge_right - edge_left) /
                      static_cast<double>(std::max<std::size_t>(slip.to_be_signed.size(), 1));
  for (std::size_t at = 0; at < slip.to_be_signed.size(); ++at) {
    const double from = edge_left + each * static_cast<double>(at);
    sheet.line(from, lines, from + each - 14, lines, 0.6);
    sheet.write(from, lines + 9, slip.to_be_signed[at], small_size, Face::plain, each - 14);
  }
  sheet.grey(0.35);
  sheet.write(edge_left, top + part_height - 16, slip.evidence, small_size, Face::plain,
              edge_right - edge_left);
}

}  // namespace

std::string slip_pdf(const SlipDocument& slip) {
  Sheet sheet(page_width, page_height, "Slip " + slip.number, slip.issued_at);
  write_part(sheet, 0, slip, "ORIGINAL \u00b7 cage");
  sheet.grey(0.5);
  sheet.line(0, part_height, page_width, part_height, 0.6, true);
  write_part(sheet, part_height, slip, "DUPLICATE \u00b7 accounting");
  return sheet.pdf();
}

}  // namespace linkmeter
