# What every target of the project shares.

# Warnings for our own targets; they are private, so that a parent project keeps its own.
function(ricci_set_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra $<$<BOOL:${RICCI_WERROR}>:-Werror>)
  # GCC 12 warns of overlapping copies within std::string operator+ (its bug 105329).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)
  endif()
endfunction()

# ricci_glob(OUT_VARIABLE pattern...): the files that match, looked for again at every build.
# Globs instead of lists: a file in a room belongs to the room, and adding one touches no file that others edit, too.
# CONFIGURE_DEPENDS keeps the build honest when files come and go.
macro(ricci_glob out)
  file(GLOB_RECURSE ${out} CONFIGURE_DEPENDS ${ARGN})
endmacro()

# ricci_add_test(NAME name TIMEOUT seconds COMMAND command... [STARTS_MPI]): a ctest entry that also runs in a
# container, where the user is root and the cores are fewer than the ranks.
function(ricci_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "STARTS_MPI" "NAME;TIMEOUT" "COMMAND")
  set(environment OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    math(EXPR arg_TIMEOUT "4 * ${arg_TIMEOUT}")
    if(arg_STARTS_MPI)
      # Open MPI leaks, from plugins that it has unloaded by the end, so that no suppression can name them.
      list(APPEND environment ASAN_OPTIONS=detect_leaks=0)
    endif()
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/run/${arg_NAME})
  file(MAKE_DIRECTORY ${directory})
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${directory})
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${arg_TIMEOUT} ENVIRONMENT "${environment}")
endfunction()
