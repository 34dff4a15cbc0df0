# Finds SMPI, the MPI of SimGrid: its ranks are simulated, all of them in one process.
#   MPI::MPI_CXX         what to compile and link with, in place of what FindMPI makes
#   SMPI_RUN_EXECUTABLE  smpirun
# Its compiler wrapper is not asked: it sets an older C++, and includes a header that redefines functions of the C
# library as macros, which C++ headers do not survive. Of what that header does ricci needs nothing.
include(FindPackageHandleStandardArgs)

find_path(SMPI_INCLUDE_DIR smpi/smpi.h)
find_library(SMPI_LIBRARY simgrid)
find_program(SMPI_RUN_EXECUTABLE smpirun)
mark_as_advanced(SMPI_INCLUDE_DIR SMPI_LIBRARY SMPI_RUN_EXECUTABLE)

find_package_handle_standard_args(
  SMPI REQUIRED_VARS SMPI_LIBRARY SMPI_INCLUDE_DIR SMPI_RUN_EXECUTABLE
  REASON_FAILURE_MESSAGE "On Debian the package is libsimgrid-dev.")
if(SMPI_FOUND AND NOT TARGET MPI::MPI_CXX)
  add_library(MPI::MPI_CXX INTERFACE IMPORTED)
  # smpirun loads a program like a library, so that is how it is linked.
  set_target_properties(
    MPI::MPI_CXX
    PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${SMPI_INCLUDE_DIR};${SMPI_INCLUDE_DIR}/smpi"
               INTERFACE_COMPILE_DEFINITIONS SMPI_NO_OVERRIDE_MALLOC
               INTERFACE_COMPILE_OPTIONS -fPIC
               INTERFACE_LINK_OPTIONS "$<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-shared;-Wl,-z,defs>"
               INTERFACE_LINK_LIBRARIES "${SMPI_LIBRARY}")
endif()
