// Slip as PDF: one US Letter page with the two parts of the slip, the original for the cage and the
// duplicate for accounting, identical but for their names.
//
// Laws: no text of the slip is omitted or cut: long text takes more lines, and much text is set
// smaller. The file's Subject holds the same content for programs, so that another rendering of the
// slip shows what was stored. The copy of a void slip is marked across both parts.
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

// The same document always gives the same bytes on the same system. `voided`: the notice on a void
// slip, a sentence each; empty: the slip as issued. Throws Fault (fonts, memory).
[[nodiscard]] std::string slip_pdf(const SlipDocument& slip,
                                   const std::vector<std::string>& voided = {});

// The document in such a file; nullopt: the file does not contain one.
[[nodiscard]] std::optional<SlipDocument> document_in(std::string_view pdf);

}  // namespace linkmeter
