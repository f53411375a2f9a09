// The log of the Protobuf library, which writes to standard error.
#pragma once

namespace linkmeter {

// Protobuf logs a line for every malformed message, so strangers could fill the log. Every program
// that decodes bytes from outside calls this first.
void silence_protobuf_log();

}  // namespace linkmeter
