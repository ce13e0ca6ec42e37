# embed_text(SOURCE NAMESPACE NAME FILE...): writes a C++ source with each file's bytes as
# `const std::string_view NAMESPACE::NAME`. It is written again when a file changes.
function(embed_text source namespace)
  set(definitions "")
  set(names_and_files ${ARGN})
  while(names_and_files)
    list(POP_FRONT names_and_files name file)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "(................................................)" "\\1\n" bytes
      "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND definitions
      "const char ${name}_bytes[] = {\n${bytes}0};\n"
      "extern const std::string_view ${name};\n"
      "const std::string_view ${name}{${name}_bytes, sizeof ${name}_bytes - 1};\n")
  endwhile()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
    "#include <string_view>\nnamespace ${namespace} {\n${definitions}}\n")
endfunction()
