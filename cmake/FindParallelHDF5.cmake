# Finds the C interface of HDF5, built for MPI where there is such a build. (CMake's FindHDF5 needs the language C,
# which a C++ project that uses ricci may not have enabled.) H5_HAVE_PARALLEL in <hdf5.h> tells which build it is.
#   ParallelHDF5::ParallelHDF5   what to link
#   ParallelHDF5_PC_REQUIRES     the pkg-config module it came from, or empty
#   ParallelHDF5_LINK_LIBRARIES  its libraries
# The installed package uses this module, too.
include(FindPackageHandleStandardArgs)

# A build for another MPI than the one in use would not work with it. Where MPI was found, its header tells which it is.
set(hdf5_modules hdf5-openmpi hdf5-mpich hdf5-mpi hdf5)
foreach(directory IN LISTS MPI_CXX_INCLUDE_DIRS)
  if(EXISTS ${directory}/mpi.h)
    file(STRINGS ${directory}/mpi.h mpi_names REGEX "define +(MPICH_VERSION|OPEN_MPI|OMPI_MAJOR_VERSION)[ (]")
    if(mpi_names MATCHES "MPICH_VERSION")
      list(REMOVE_ITEM hdf5_modules hdf5-openmpi)
    elseif(mpi_names)
      list(REMOVE_ITEM hdf5_modules hdf5-mpich)
    endif()
  endif()
endforeach()

set(ParallelHDF5_PC_REQUIRES "")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  foreach(module IN LISTS hdf5_modules)
    pkg_check_modules(PC_HDF5_${module} QUIET ${module})
    if(PC_HDF5_${module}_FOUND)
      set(ParallelHDF5_PC_REQUIRES ${module})
      break()
    endif()
  endforeach()
endif()

find_path(ParallelHDF5_INCLUDE_DIR hdf5.h HINTS ${PC_HDF5_${ParallelHDF5_PC_REQUIRES}_INCLUDE_DIRS})
find_library(ParallelHDF5_LIBRARY NAMES hdf5 HINTS ${PC_HDF5_${ParallelHDF5_PC_REQUIRES}_LIBRARY_DIRS})
mark_as_advanced(ParallelHDF5_INCLUDE_DIR ParallelHDF5_LIBRARY)
set(ParallelHDF5_LINK_LIBRARIES ${ParallelHDF5_LIBRARY})

find_package_handle_standard_args(ParallelHDF5 REQUIRED_VARS ParallelHDF5_LIBRARY ParallelHDF5_INCLUDE_DIR)
if(ParallelHDF5_FOUND AND NOT TARGET ParallelHDF5::ParallelHDF5)
  add_library(ParallelHDF5::ParallelHDF5 INTERFACE IMPORTED)
  set_target_properties(
    ParallelHDF5::ParallelHDF5 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${ParallelHDF5_INCLUDE_DIR}"
                                          INTERFACE_LINK_LIBRARIES "${ParallelHDF5_LINK_LIBRARIES}")
endif()
