// mthreads-gmi of the stand-in: what programs read that watch MUSA's devices by its output. It has
// the forms whose output is public; any other is refused.
#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <string_view>
#include <vector>

#include "src/host/gmi/print.h"

namespace {

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 64> text{};
  std::strftime(text.data(), text.size(), "%a %b %e %H:%M:%S %Y", &parts);
  return text.data();
}

// Nothing for arguments that the command does not take.
std::string answer(const std::vector<std::string_view>& arguments) {
  bool query = false;
  bool as_json = false;
  for (const std::string_view argument : arguments) {
    if (argument == "-q" || argument == "--query") {
      query = true;
    } else if (argument == "-j" || argument == "--json") {
      as_json = true;
    } else if ((argument == "-v" || argument == "--version") && arguments.size() == 1) {
      return "mthreads-gmi version : " + gmi::read_machine().command + "\n";
    } else {
      return "";
    }
  }
  if (query != as_json) return "";
  if (query) return gmi::json(gmi::read_machine(), time_now());
  return gmi::table(gmi::read_machine(), gmi::read_processes(), time_now());
}

}  // namespace

int main(int count, char** arguments) {
  try {
    const std::string text = answer({arguments + 1, arguments + count});
    if (text.empty()) {
      std::fputs(
          "mthreads-gmi: the stand-in knows: mthreads-gmi, mthreads-gmi -v, mthreads-gmi -q "
          "--json\n",
          stderr);
      return 2;
    }
    const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    return written ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "mthreads-gmi: %s\n", error.what());
    return 1;
  }
}
