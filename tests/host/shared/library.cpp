#include "tests/host/shared/library.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

namespace host_tests {
namespace {

std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << command;
    return output;
  }
  std::array<char, 4096> chunk;
  for (std::size_t got; (got = std::fread(chunk.data(), 1, chunk.size(), pipe)) > 0;) {
    output.append(chunk.data(), got);
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

Names matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  Names names;
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end;
       ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

}  // namespace

Names declared_functions(const std::string& header, const std::string& prefix) {
  std::ifstream file(header);
  EXPECT_TRUE(file) << header;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto code = std::regex_replace(text, std::regex(R"(/\*[^*]*\*+([^/*][^*]*\*+)*/)"), "");
  Names names = matches(code, "\\b(" + prefix + "[A-Za-z0-9_]*)\\(");
  // muBLAS's header declares a function for each type in one line: MUBLAS_SDCZ(axpy, ...).
  const std::regex family(R"(\nMUBLAS_([SDCZ]+)(_R)?\((\w+),)");
  for (std::sregex_iterator each(code.begin(), code.end(), family), end; each != end; ++each) {
    for (const char type : each->str(1)) names.insert(prefix + type + each->str(3));
  }
  return names;
}

Names exported_symbols(const std::string& library) {
  // Names with a version node are for other libraries of the stand-in, and the node is a symbol
  // too.
  Names names = matches(output_of("nm -D --defined-only --format=posix '" + library + "'"),
                        R"((?:^|\n)(\S+) )");
  std::erase_if(names, [](const std::string& name) {
    return name.find('@') != std::string::npos || name == "MUSA_STAND_IN";
  });
  return names;
}

Names without_cxx_parameters(const Names& symbols) {
  const std::regex mangled("_Z([0-9]+)(.*)");
  Names names;
  for (const std::string& symbol : symbols) {
    std::smatch match;
    const bool is_mangled = std::regex_match(symbol, match, mangled);
    names.insert(is_mangled ? match.str(2).substr(0, std::stoul(match.str(1))) : symbol);
  }
  return names;
}

Names dynamic_entries(const std::string& library, const std::string& tag) {
  return matches(output_of("readelf -dW '" + library + "'"),
                 "\\(" + tag + R"(\)[^\[]*\[([^\]]*)\])");
}

Names needed_libraries(const std::string& library) {
  const std::regex everywhere(R"((ld-linux-|libm\.|lib(a|ub|t)san\.).*)");
  Names needed = dynamic_entries(library, "NEEDED");
  std::erase_if(needed,
                [&](const std::string& name) { return std::regex_match(name, everywhere); });
  return needed;
}

}  // namespace host_tests
