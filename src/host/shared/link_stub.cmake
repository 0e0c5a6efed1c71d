# host_link_stub(musa): lib/stubs/libmusa.so of each tree. Programs are linked with it where no driver is
# installed. It has the names of the tree's driver and does nothing.
function(host_link_stub name)
  foreach(tree IN LISTS TORCHADA_HOST_TREES)
    host_exported_names(LIBRARY ${name} TREE ${tree} PRESENT names ABSENT absent)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/stub-${tree})
    list(TRANSFORM names REPLACE "(.+)" "STUB(\\1)\n" OUTPUT_VARIABLE lines)
    string(REPLACE ";" "" lines "${lines}")
    host_write_if_changed(${folder}/generated/stub_names.inc "${lines}")
    host_tree_target(driver ${name} ${tree})
    host_tree_target(target ${name}_stub ${tree})
    list(GET TORCHADA_HOST_TREE_${tree}_${name} 1 soname_version)
    add_library(${target} SHARED stub.c ${folder}/generated/stub_names.inc)
    target_include_directories(${target} PRIVATE ${folder})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name}
      NO_SONAME ON
      LIBRARY_OUTPUT_DIRECTORY ${TORCHADA_STAGE}/host/${tree}/lib/stubs
      C_VISIBILITY_PRESET hidden)
    # A program that is linked with the stub needs the driver.
    target_link_options(${target} PRIVATE -Wl,-soname,lib${name}.so.${soname_version} -Wl,-z,now -Wl,-z,relro)
    add_dependencies(${driver} ${target})
    install(TARGETS ${target} LIBRARY DESTINATION host/${tree}/lib/stubs)
  endforeach()
endfunction()
