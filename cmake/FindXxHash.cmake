# Finds xxHash as a header: the checksums of disk arrays are compiled into the library, so that nothing has to be linked.
#   XxHash::XxHash  what to compile with
include(FindPackageHandleStandardArgs)

find_path(XxHash_INCLUDE_DIR xxhash.h)
mark_as_advanced(XxHash_INCLUDE_DIR)

find_package_handle_standard_args(
  XxHash REQUIRED_VARS XxHash_INCLUDE_DIR REASON_FAILURE_MESSAGE "On Debian the package is libxxhash-dev.")
if(XxHash_FOUND AND NOT TARGET XxHash::XxHash)
  add_library(XxHash::XxHash INTERFACE IMPORTED)
  set_target_properties(XxHash::XxHash PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${XxHash_INCLUDE_DIR}")
endif()
