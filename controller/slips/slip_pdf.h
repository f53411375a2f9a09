// Slip as PDF: one US Letter page with the two parts of the slip, the original for the cage and the
// duplicate for accounting, alike but for their names.
#pragma once

#include <string>

#include "controller/slips/slip_document.h"

namespace linkmeter {

// The same document always gives the same bytes on the same system. Throws Fault (fonts, memory).
[[nodiscard]] std::string slip_pdf(const SlipDocument& slip);

}  // namespace linkmeter
