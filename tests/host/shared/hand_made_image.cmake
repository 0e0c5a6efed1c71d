# Builds an image of device code from C, as src/host/kernels/README.md says. The build's own flags
# (sanitizers, coverage) do not apply: they would add constructors, which no image may have.
#
#   hand_made_image(OUT variable TARGET name SOURCE file.c [DEFINITIONS ...] [UNSEALED])
#
# `variable` gets the file's path. UNSEALED: the file stays as the linker made it.
function(hand_made_image)
  cmake_parse_arguments(PARSE_ARGV 0 IMAGE "UNSEALED" "OUT;TARGET;SOURCE" "DEFINITIONS")
  set(file ${CMAKE_CURRENT_BINARY_DIR}/${IMAGE_TARGET}.so)
  set(include ${CMAKE_SOURCE_DIR}/src/host/kernels/include)
  list(TRANSFORM IMAGE_DEFINITIONS PREPEND -D)
  set(seal COMMAND $<TARGET_FILE:torchada_kernels> --seal=${file})
  if(IMAGE_UNSEALED)
    set(seal "")
  endif()
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_C_COMPILER} -shared -fPIC -O2 -fvisibility=hidden -nostartfiles
      ${IMAGE_DEFINITIONS} -I${include} ${CMAKE_CURRENT_SOURCE_DIR}/${IMAGE_SOURCE} -o ${file}
    ${seal}
    DEPENDS ${IMAGE_SOURCE} ${include}/torchada_image.h torchada_kernels
    COMMENT "Building ${IMAGE_TARGET}" VERBATIM)
  add_custom_target(${IMAGE_TARGET} ALL DEPENDS ${file})
  set(${IMAGE_OUT} ${file} PARENT_SCOPE)
endfunction()
