// Bare etcd: the entries of a journal, written to a cluster of etcd as a writer writes them, one
// fenced transaction after the other, and nothing else.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace linkmeter::bench {

// Writes the last `count` entries of a journal (a data folder), each in its own transaction.
// Returns the time of each transaction, sorted. Throws Fault.
std::vector<std::chrono::nanoseconds> write_to_etcd(const std::vector<std::string>& endpoints,
                                                    const std::filesystem::path& data,
                                                    std::size_t count);

}  // namespace linkmeter::bench
