// Claim commands: claims and slips, from validation to payment, as commands of the tool.
#pragma once

#include "controller/cli/shell/declaring.h"

namespace linkmeter::cli {

// `validate N`, `reject N`, `countersign N`, `pay N`, each also as `claim validate N`; `slip issue
// N`, `slip void S`, `slip show S`, `slips`. `options` must outlive `app`'s parsing.
void declare_claims(CLI::App& app, CommandOptions& options, const CommandBuilder& declare);

}  // namespace linkmeter::cli
