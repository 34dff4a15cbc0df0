#pragma once
// The file that marks a scratch directory as ours, and whose lock says that its process lives.
#include <optional>
#include <string>
#include <string_view>

namespace ricci::storage {

inline constexpr std::string_view scratch_prefix = "ricci-scratch-";

/// Makes the file in the directory, locks it and marks it. The lock lasts until the descriptor is closed, or the
/// process ends. Nothing where the directory has vanished meanwhile; InputError or ResourceError where it fails.
std::optional<int> lock_new_scratch(const std::string& directory, bool keep);

/// Whether the directory is one of ours that a process of this host and user has left: marked, not locked, not to be
/// kept. (One that is empty, or whose mark is, is ours by its name, and left if its process has ended.) The descriptor
/// has it locked then; whoever removes it closes that afterwards.
std::optional<int> lock_stale_scratch(const std::string& directory);

/// Removes all that is in the directory, the mark last, so that what is interrupted can be found again; then the
/// directory. Links are removed, not followed. False where something stays, with the mark: the next process finds it.
bool remove_scratch(const std::string& directory);

}  // namespace ricci::storage
