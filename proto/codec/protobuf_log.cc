#include "proto/codec/protobuf_log.h"

#include <google/protobuf/stubs/logging.h>

namespace linkmeter {

void silence_protobuf_log() { google::protobuf::SetLogHandler(nullptr); }

}  // namespace linkmeter
