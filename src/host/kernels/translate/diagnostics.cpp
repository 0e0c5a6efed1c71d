#include "src/host/kernels/translate/diagnostics.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>
#include <string_view>

namespace kernels {
namespace {

constexpr std::string_view kRefused = "torchada: ";

// Reads a number and the colon behind it.
bool read_number(const std::string& line, std::size_t* at, unsigned int* number) {
  const char* const end = line.data() + line.size();
  const auto [behind, error] = std::from_chars(line.data() + *at, end, *number);
  *at = static_cast<std::size_t>(behind - line.data()) + 1;
  return error == std::errc() && behind != end && *behind == ':';
}

// What a line of clang's says: FILE:LINE:COLUMN: error: TEXT.
bool read_error(const std::string& line, Message* message) {
  const std::size_t kind = std::min(line.find(": error: "), line.find(": fatal error: "));
  if (kind == std::string::npos) return false;
  std::size_t colon = line.rfind(':', kind - 1);
  if (colon == std::string::npos || colon == 0) return false;
  colon = line.rfind(':', colon - 1);
  if (colon == std::string::npos) return false;
  std::size_t at = colon + 1;
  Place& place = message->place;
  place.file = line.substr(0, colon);
  if (!read_number(line, &at, &place.line) || !read_number(line, &at, &place.column)) return false;
  message->text = line.substr(line.find("error: ", kind) + 7);
  return true;
}

// "1 error generated when compiling for sm_70.": that is not what the program is compiled for.
bool is_count(const std::string& line) {
  return !line.empty() && std::isdigit(static_cast<unsigned char>(line.front())) != 0 &&
         line.find(" generated when compiling for ") != std::string::npos;
}

bool is_launch(const std::string& text) {
  return text.starts_with("reference to __global__ function ") && text.ends_with("__ function");
}

}  // namespace

std::string line_of(const Message& message, const std::string& kind) {
  std::string line = message.place.file + ":";
  if (message.place.line != 0) line += std::to_string(message.place.line) + ":";
  if (message.place.column != 0) line += std::to_string(message.place.column) + ":";
  return line + " " + kind + ": " + message.text + "\n";
}

Message refusal(Place place, const std::string& what) {
  const std::string text = what.starts_with(kRefused) ? what.substr(kRefused.size()) : what;
  return {std::move(place), text + ": not supported by the CPU stand-in"};
}

std::string in_our_words(const std::string& log, const Request& request, const std::string& source,
                         std::set<std::size_t>* wrong_names, bool* only_names) {
  std::istringstream lines(log);
  std::string out;
  std::string stack;   // the lines that say who includes the file of the next error
  bool skips = false;  // what belongs to an error that was replaced
  *only_names = true;
  for (std::string line; std::getline(lines, line);) {
    Message message;
    if (line.starts_with("In file included from ")) {
      stack += line + "\n";
      continue;
    }
    if (is_count(line)) continue;
    if (!read_error(line, &message)) {
      skips = skips && line.find(": note: ") == std::string::npos;
      if (!skips) out += stack + line + "\n";
      stack.clear();
      continue;
    }
    skips = true;
    const std::size_t number = message.place.line - request.names_line;
    const bool is_name = request.names_line != 0 && message.place.file == source &&
                         message.place.line >= request.names_line && number < request.names.size();
    *only_names = *only_names && is_name;
    if (is_name) {
      const Message named{{"name expression '" + request.names[number] + "'"}, message.text};
      if (wrong_names->insert(number).second) out += line_of(named, "error");
    } else if (is_launch(message.text)) {
      out += line_of(refusal(message.place, "a launch from device code (dynamic parallelism)"),
                     "error");
    } else if (message.text == "no template named 'texture'" ||
               message.text == "no template named 'surface'") {
      out += line_of(
          refusal(message.place, "a texture or surface reference, which CUDA 12 removed"), "error");
    } else {
      // gcc's, which nvcc has, is not for clang.
      if (message.text.starts_with("'omp.h'")) message.text += "; install libomp-19-dev";
      out += stack + line_of(message, "error");
      skips = false;
    }
    stack.clear();
  }
  *only_names = *only_names && !wrong_names->empty();
  return out;
}

}  // namespace kernels
