# The tests of several ranks: one program, run with 1 to 8 of them. A timeout finds deadlocks.
ricci_glob(sources ${CMAKE_CURRENT_SOURCE_DIR}/mpi/*.cpp)
list(FILTER sources EXCLUDE REGEX "/mpi/programs/")
ricci_add_test_program(ricci_mpi_tests ${sources})

# Open MPI refuses more ranks than cores unless told; other launchers do not know the flag.
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version ERROR_QUIET)
set(oversubscribe)
if(mpiexec_version MATCHES "Open MPI|OpenRTE|PRTE|prte")
  set(oversubscribe --oversubscribe)
endif()

# ricci_add_mpi_test(NAME name RANKS n TIMEOUT seconds [BEFORE command...] COMMAND command...): n ranks on the cores that
# there are, with one thread each, which give way while they wait. BEFORE comes before the launcher.
function(ricci_add_mpi_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;RANKS;TIMEOUT" "BEFORE;COMMAND")
  ricci_add_test(NAME ${arg_NAME} TIMEOUT ${arg_TIMEOUT} STARTS_MPI COMMAND ${arg_BEFORE} ${MPIEXEC_EXECUTABLE}
                 ${MPIEXEC_NUMPROC_FLAG} ${arg_RANKS} ${oversubscribe} ${MPIEXEC_PREFLAGS} ${arg_COMMAND})
  set_property(TEST ${arg_NAME} APPEND PROPERTY ENVIRONMENT OMPI_MCA_mpi_yield_when_idle=1 OMP_NUM_THREADS=1
                                                OPENBLAS_NUM_THREADS=1)
  set_tests_properties(${arg_NAME} PROPERTIES PROCESSORS 2 LABELS mpi)
endfunction()

foreach(ranks IN ITEMS 1 2 3 4 6 8)
  ricci_add_mpi_test(NAME mpi_${ranks} RANKS ${ranks} TIMEOUT 300 COMMAND $<TARGET_FILE:ricci_mpi_tests>)
  if(ranks GREATER 1) # one rank is what the entry `property` runs
    ricci_add_mpi_test(NAME property_${ranks} RANKS ${ranks} TIMEOUT 300
                       COMMAND $<TARGET_FILE:ricci_property_tests> --gtest_filter=Contraction.*:SharedLoops.*)
  endif()
endforeach()

# What processes really take, of contractions of more than 100 MB. The address sanitizer takes memory of its own.
ricci_glob(sources ${CMAKE_CURRENT_SOURCE_DIR}/memory/*.cpp)
ricci_add_test_program(ricci_memory_tests ${sources} mpi/main.cpp)
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  foreach(ranks IN ITEMS 1 2 4)
    ricci_add_mpi_test(NAME memory_${ranks} RANKS ${ranks} TIMEOUT 600 COMMAND $<TARGET_FILE:ricci_memory_tests>)
  endforeach()
  foreach(ranks IN ITEMS 6 8)
    ricci_add_mpi_test(NAME memory_${ranks} RANKS ${ranks} TIMEOUT 600
                       COMMAND $<TARGET_FILE:ricci_memory_tests> --gtest_filter=*AtTheLeastLimit*)
  endforeach()
endif()

# The example programs, in memory and block by block, against plain loops.
ricci_glob(sources ${CMAKE_CURRENT_SOURCE_DIR}/programs/*.cpp)
ricci_add_test_program(ricci_example_tests ${sources} mpi/main.cpp)
target_compile_definitions(ricci_example_tests PRIVATE RICCI_EXAMPLES="${PROJECT_SOURCE_DIR}/examples")
foreach(ranks IN ITEMS 1 2 4)
  ricci_add_mpi_test(NAME examples_${ranks} RANKS ${ranks} TIMEOUT 300 COMMAND $<TARGET_FILE:ricci_example_tests>)
endforeach()

# One rank fails: the others must not wait for it forever.
ricci_add_test_program(ricci_failing_rank mpi/programs/failing_rank.cpp)
set(expect_failure ${CMAKE_CURRENT_SOURCE_DIR}/mpi/programs/expect_failure)
ricci_add_mpi_test(NAME mpi_terminate RANKS 3 TIMEOUT 60
                   BEFORE ${expect_failure} "ricci: rank 2 of 3: the label 'q' is not in A"
                   COMMAND $<TARGET_FILE:ricci_failing_rank> terminate)
ricci_add_mpi_test(NAME mpi_unwind RANKS 3 TIMEOUT 60
                   BEFORE ${expect_failure} "ricci: rank 2 of 3: an exception leaves the scope of ricci::Runtime"
                   COMMAND $<TARGET_FILE:ricci_failing_rank> unwind)
ricci_add_mpi_test(NAME mpi_agreed_failure RANKS 3 TIMEOUT 60
                   BEFORE ${expect_failure} "main caught: the label 'q' is not in A"
                   COMMAND $<TARGET_FILE:ricci_failing_rank> agreed)
