# Finds liburing, the C interface of io_uring (Linux). Without it disk arrays are read and written by threads.
#   LibUring::LibUring       what to link
#   LibUring_PC_REQUIRES     the pkg-config module it came from, or empty
#   LibUring_LINK_LIBRARIES  its libraries
# The installed package uses this module, too.
include(FindPackageHandleStandardArgs)

set(LibUring_PC_REQUIRES "")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LIBURING QUIET liburing)
endif()
if(PC_LIBURING_FOUND)
  set(LibUring_PC_REQUIRES liburing)
endif()

find_path(LibUring_INCLUDE_DIR liburing.h HINTS ${PC_LIBURING_INCLUDE_DIRS})
find_library(LibUring_LIBRARY NAMES uring HINTS ${PC_LIBURING_LIBRARY_DIRS})
mark_as_advanced(LibUring_INCLUDE_DIR LibUring_LIBRARY)
set(LibUring_LINK_LIBRARIES ${LibUring_LIBRARY})

find_package_handle_standard_args(LibUring REQUIRED_VARS LibUring_LIBRARY LibUring_INCLUDE_DIR)
if(LibUring_FOUND AND NOT TARGET LibUring::LibUring)
  add_library(LibUring::LibUring INTERFACE IMPORTED)
  set_target_properties(LibUring::LibUring PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${LibUring_INCLUDE_DIR}"
                                                      INTERFACE_LINK_LIBRARIES "${LibUring_LINK_LIBRARIES}")
endif()
