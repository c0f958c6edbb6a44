# Adding an implementation is one file and one line: the file in implementations/<model>/, the line in
# that folder's CMakeLists.txt.
#
# Each is its own object library, so that its flags and libraries affect no other.
# macrobench_implementations passes all objects to whatever links it: nothing refers to them by name.

add_library(macrobench_implementations INTERFACE)
target_link_libraries(macrobench_implementations INTERFACE macrobench_options)
set_property(GLOBAL PROPERTY MACROBENCH_LEFT_OUT "")

# Records files of this folder that some line of it names, whether or not the build leaves them out.
function(macrobench_named)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  set_property(GLOBAL APPEND PROPERTY MACROBENCH_NAMED ${files})
endfunction()

# A source in a model's folder, or in a room of it, that no line names is not built, which nobody notices: says so.
function(macrobench_warn_of_forgotten_files)
  get_property(named GLOBAL PROPERTY MACROBENCH_NAMED)
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB files CONFIGURE_DEPENDS ${here}/*/*.cpp ${here}/*/*.cu ${here}/*/*/*.cpp ${here}/*/*/*.cu)
  list(REMOVE_ITEM files ${named})
  foreach(file IN LISTS files)
    file(RELATIVE_PATH shown ${PROJECT_SOURCE_DIR} ${file})
    string(REGEX REPLACE "^([^/]*/[^/]*)/(.*)$" "\\1;\\2" model_and_name ${shown})
    list(GET model_and_name 0 model)
    list(GET model_and_name 1 name)
    get_filename_component(stem ${file} NAME_WE)
    set(kind implementation)
    if(name MATCHES "\\.cu$")
      set(kind cuda_implementation)
    endif()
    message(WARNING "${shown} is not built: add macrobench_${kind}(${stem} ${name}) to ${model}/CMakeLists.txt")
  endforeach()
endfunction()

function(macrobench_objects target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES;LIBRARIES")
  macrobench_named(${arg_FILES})
  add_library(${target} OBJECT ${arg_FILES})
  target_link_libraries(${target} PRIVATE macrobench_options ${arg_LIBRARIES})
  target_sources(macrobench_implementations INTERFACE $<TARGET_OBJECTS:${target}>)
  target_link_libraries(macrobench_implementations INTERFACE ${arg_LIBRARIES})
endfunction()

# macrobench_shared(FILES... [LIBRARIES...]): what a model's implementations have in common.
function(macrobench_shared)
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  macrobench_objects(${folder}_shared FILES ${ARGN})
endfunction()

# macrobench_implementation(NAME FILE [LIBRARIES...])
function(macrobench_implementation name file)
  get_filename_component(model ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  macrobench_objects(${model}_${name} FILES ${file} LIBRARIES ${ARGN})
endfunction()

# Records what is left out, what the build lacks, and what to do about it.
function(macrobench_leave_out name lacks remedy)
  get_filename_component(model ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set_property(GLOBAL APPEND PROPERTY MACROBENCH_LEFT_OUT "${model}/${name}|${lacks}|${remedy}")
endfunction()

# macrobench_cuda_implementation(NAME FILE): left out without CUDA.
function(macrobench_cuda_implementation name file)
  get_filename_component(model ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  macrobench_named(${file})
  if(MACROBENCH_CUDA)
    macrobench_objects(${model}_${name} FILES ${file} LIBRARIES CUDA::cudart_static)
  else()
    macrobench_leave_out(${name} CUDA "make build CUDA=on")
  endif()
endfunction()
