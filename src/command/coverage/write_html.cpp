// One page that needs nothing else: page/page.html with its places filled.
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "src/command/coverage/coverage.h"
#include "src/command/coverage/html.h"
#include "src/command/coverage/page.h"

namespace torchada::coverage {
namespace {

// Each {{place}} of `page` gets its text once: a text that looks like a place stays text.
std::string filled(std::string_view page, const std::map<std::string_view, std::string>& texts) {
  std::string out;
  for (;;) {
    const std::size_t begin = page.find("{{");
    out += page.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const std::size_t end = page.find("}}", begin);
    out += texts.at(page.substr(begin + 2, end - begin - 2));
    page.remove_prefix(end + 2);
  }
}

std::string script() {
  std::string out;
  for (const char* part :
       {kElementsJs, kFunctionsJs, kCheckResultJs, kProgramJs, kSearchJs, kStartJs}) {
    out += part;
  }
  return out;
}

std::string musa(const Coverage& coverage) {
  if (!coverage.musa) return "No MUSA installation was found to compare with.";
  return "Compared with " + html::escaped(described(coverage.musa)) + ".";
}

// As the script reads it; null where the command line names none.
std::string check(const std::optional<CheckResult>& program) {
  if (!program) return "null";
  const nlohmann::ordered_json name = program->name;
  return "{\"name\":" + name.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) +
         ",\"result\":" + program->json + "}";
}

}  // namespace

std::string write_html(const Coverage& coverage, const std::optional<CheckResult>& program) {
  return filled(kPageHtml, {{"style", kPageCss},
                            {"script", script()},
                            {"version", TORCHADA_VERSION},
                            {"musa", musa(coverage)},
                            {"libraries", html::libraries(coverage)},
                            {"numbers", html::numbers(coverage)},
                            {"filters", html::filters(coverage)},
                            {"data", html::script_safe(html::data(coverage))},
                            {"members", html::script_safe(kCheckMembersJson)},
                            {"check", html::script_safe(check(program))}});
}

}  // namespace torchada::coverage
