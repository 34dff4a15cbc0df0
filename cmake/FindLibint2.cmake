# Finds libint2, integrals over Gaussian functions, with its C++ interface, which needs Eigen and Boost's headers.
#   Libint2::Libint2   what to link
include(FindPackageHandleStandardArgs)

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_LIBINT2 QUIET libint2)
endif()

find_path(Libint2_INCLUDE_DIR libint2.hpp HINTS ${PC_LIBINT2_INCLUDE_DIRS})
find_library(Libint2_LIBRARY NAMES int2 HINTS ${PC_LIBINT2_LIBRARY_DIRS})
find_package(Eigen3 QUIET NO_MODULE)
mark_as_advanced(Libint2_INCLUDE_DIR Libint2_LIBRARY)

find_package_handle_standard_args(
  Libint2 REQUIRED_VARS Libint2_LIBRARY Libint2_INCLUDE_DIR Eigen3_FOUND
  REASON_FAILURE_MESSAGE "On Debian the package is libint2-dev.")
if(Libint2_FOUND AND NOT TARGET Libint2::Libint2)
  add_library(Libint2::Libint2 INTERFACE IMPORTED)
  set_target_properties(Libint2::Libint2 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Libint2_INCLUDE_DIR}"
                                                    INTERFACE_LINK_LIBRARIES "${Libint2_LIBRARY};Eigen3::Eigen")
endif()
