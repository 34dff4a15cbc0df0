#pragma once
// Amounts of memory as people write them.
#include <cstdint>
#include <string_view>

namespace ricci {

/// "4096", "100MB" (10^6), "2GiB" (2^30), "1.5 GB". InputError, naming `what`, for anything else.
std::int64_t parse_bytes(std::string_view text, std::string_view what);

}  // namespace ricci
