# Finds a BLAS with its C interface (<cblas.h>), and LAPACK: OpenBLAS, else any cblas.
#   CBLAS::CBLAS          what to link
#   CBLAS_PC_REQUIRES     the pkg-config module it came from, or empty
#   CBLAS_LINK_LIBRARIES  its libraries
# The installed package uses this module, too.
include(FindPackageHandleStandardArgs)

set(CBLAS_PC_REQUIRES "")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_OPENBLAS QUIET openblas)
endif()
if(PC_OPENBLAS_FOUND)
  set(CBLAS_PC_REQUIRES openblas)
endif()

find_path(CBLAS_INCLUDE_DIR cblas.h HINTS ${PC_OPENBLAS_INCLUDE_DIRS} PATH_SUFFIXES openblas)
find_library(CBLAS_LIBRARY NAMES openblas cblas HINTS ${PC_OPENBLAS_LIBRARY_DIRS})
mark_as_advanced(CBLAS_INCLUDE_DIR CBLAS_LIBRARY)

set(CBLAS_LINK_LIBRARIES ${CBLAS_LIBRARY})
if(CBLAS_LIBRARY AND NOT CBLAS_LIBRARY MATCHES "openblas")
  find_package(LAPACK QUIET) # OpenBLAS holds it; others do not
  list(APPEND CBLAS_LINK_LIBRARIES ${LAPACK_LIBRARIES})
endif()

find_package_handle_standard_args(CBLAS REQUIRED_VARS CBLAS_LIBRARY CBLAS_INCLUDE_DIR)
if(CBLAS_FOUND AND NOT TARGET CBLAS::CBLAS)
  add_library(CBLAS::CBLAS INTERFACE IMPORTED)
  set_target_properties(CBLAS::CBLAS PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${CBLAS_INCLUDE_DIR}"
                                                INTERFACE_LINK_LIBRARIES "${CBLAS_LINK_LIBRARIES}")
endif()
