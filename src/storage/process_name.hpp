#pragma once
// Names that tell which process a file belongs to, so that another one can see whether that has ended.
#include <string>
#include <string_view>

namespace ricci::storage {

/// Of this machine; without slashes.
std::string host_name();

/// `HOST-PID`, of this process.
std::string process_name();

/// Whether `name` is `before` + process_name() + `behind`, with anything as `behind`, of a process of this host that
/// has ended. Its number may have been given to another since: then not.
bool is_of_ended_process(std::string_view name, std::string_view before);

}  // namespace ricci::storage
