// Slip as PDF: one US Letter page with the two parts of the slip, the original for the cage and the
// duplicate for accounting, alike but for their names.
//
// Laws: nothing that the slip says is left out or cut: what is long takes more lines, and what is
// much is written smaller. The file says the same to programs, in its Subject: so whoever shows the
// slip in another shape shows what was stored. A copy of a void slip says so across both parts.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controller/slips/slip_document.h"

namespace linkmeter {

inline constexpr std::array<std::string_view, 2> slip_parts = {"ORIGINAL \u00b7 cage",
                                                               "DUPLICATE \u00b7 accounting"};

// The same document always gives the same bytes on the same system. `voided`: what is said of a
// void slip, a sentence each; none: the slip as it was issued. Throws Fault (fonts, memory).
[[nodiscard]] std::string slip_pdf(const SlipDocument& slip,
                                   const std::vector<std::string>& voided = {});

// What such a file says; nullopt: it does not say it to programs, or is none.
[[nodiscard]] std::optional<SlipDocument> document_in(std::string_view pdf);

}  // namespace linkmeter
