// Why a call to etcd failed, in words for people.
#pragma once

#include <string>

namespace linkmeter {

// `message`: of a gRPC status that is not OK; etcd's own or gRPC's. An unknown one is returned as
// it is, without the names of gRPC's parts.
std::string failure_words(const std::string& message);

}  // namespace linkmeter
