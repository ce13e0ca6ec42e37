# find_host_headers(FOLDER NAME...): FOLDER becomes a folder with the headers /usr/include/NAME (a
# folder or a file) of this machine, for targets that are built for another system. The other
# headers of /usr/include are for this machine alone, and must not be seen. FOLDER becomes empty if
# one of the headers is missing.
function(find_host_headers result)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/host_headers)
  set(${result} ${folder} PARENT_SCOPE)
  file(MAKE_DIRECTORY ${folder})
  foreach(name ${ARGN})
    if(NOT EXISTS /usr/include/${name})
      message(STATUS "/usr/include/${name} is missing")
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    file(CREATE_LINK /usr/include/${name} ${folder}/${name} SYMBOLIC)
  endforeach()
endfunction()
