# The library, its headers, the program, the CMake package and the pkg-config file. The prefix may be chosen or changed
# at install time (cmake --install --prefix): nothing installed names it.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ricci)

install(TARGETS ricci EXPORT ricciTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ricci ${PROJECT_BINARY_DIR}/include/ricci
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
# A static library leaves its private dependencies to whoever links it; a shared one has them inside.
get_target_property(library_type ricci TYPE)
string(COMPARE EQUAL ${library_type} STATIC_LIBRARY RICCI_IS_STATIC)
if(LibUring_FOUND)
  set(RICCI_HAS_IO_URING TRUE)
else()
  set(RICCI_HAS_IO_URING FALSE)
endif()

if(TARGET ricci_cli)
  if(NOT RICCI_IS_STATIC)
    file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
    set_target_properties(ricci_cli PROPERTIES INSTALL_RPATH $ORIGIN/${bin_to_lib})
  endif()
  install(TARGETS ricci_cli)
endif()

install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/ricci)
install(EXPORT ricciTargets NAMESPACE ricci:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ricciConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/cmake/ricciConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/cmake/ricciConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/ricciConfig.cmake ${PROJECT_BINARY_DIR}/cmake/ricciConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindCBLAS.cmake ${PROJECT_SOURCE_DIR}/cmake/FindParallelHDF5.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindLibUring.cmake
        DESTINATION ${package_dir})

# ricci.pc: modules that pkg-config knows are required by name, the rest is spelled out.
set(pc_requires fmt)
set(pc_libs ${OpenMP_CXX_FLAGS} ${MPI_CXX_LIBRARIES})
set(pc_packages CBLAS ParallelHDF5)
if(LibUring_FOUND)
  list(APPEND pc_packages LibUring)
endif()
foreach(package IN LISTS pc_packages)
  if(${package}_PC_REQUIRES)
    list(APPEND pc_requires ${${package}_PC_REQUIRES})
  else()
    list(APPEND pc_libs ${${package}_LINK_LIBRARIES})
  endif()
endforeach()
list(TRANSFORM MPI_CXX_INCLUDE_DIRS PREPEND -I OUTPUT_VARIABLE pc_cflags)
list(TRANSFORM MPI_CXX_COMPILE_DEFINITIONS PREPEND -D OUTPUT_VARIABLE pc_definitions)
list(APPEND pc_cflags ${pc_definitions})
list(JOIN pc_requires ", " pc_requires)
list(JOIN pc_libs " " pc_libs)
list(JOIN pc_cflags " " RICCI_PC_MPI_CFLAGS)
if(RICCI_IS_STATIC)
  set(RICCI_PC_DEPENDENCIES "Requires: ${pc_requires}\nLibs: -L\${libdir} -lricci ${pc_libs}")
else()
  list(JOIN MPI_CXX_LIBRARIES " " pc_mpi)
  set(RICCI_PC_DEPENDENCIES "Libs: -L\${libdir} -lricci ${pc_mpi}")
endif()
file(RELATIVE_PATH RICCI_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" RICCI_PC_PREFIX "${RICCI_PC_PREFIX}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/ricci.pc.in ${PROJECT_BINARY_DIR}/cmake/ricci.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cmake/ricci.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
