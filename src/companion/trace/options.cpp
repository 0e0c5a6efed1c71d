#include "src/companion/trace/options.h"

#include <cstdlib>

#include "src/shared/split.h"

namespace torchada::trace {
namespace {

std::string environment(const char* name) {
  const char* value = secure_getenv(name);
  return value ? value : "";
}

bool take(const std::string& word, Options* out) {
  if (word == "text" || word == "1") {
    out->format = Format::kText;
  } else if (word == "json") {
    out->format = Format::kJson;
  } else if (word == "chrome") {
    out->format = Format::kChrome;
  } else if (word == "summary") {
    out->summary = true;
  } else if (word == "memory") {
    out->memory = true;
  } else if (word == "begin") {
    out->begin = true;
  } else if (word == "status") {
    out->status = true;
  } else {
    return false;
  }
  return true;
}

}  // namespace

Options read_options() {
  Options out;
  const std::string value = environment("TORCHADA_TRACE");
  const std::size_t colon = value.find(':');
  for (const std::string& word : split(value.substr(0, colon), ",")) {
    if (take(word, &out)) continue;
    out.complaint = "TORCHADA_TRACE: ignoring the unknown word '" + word +
                    "'; expected text, json, chrome, summary, memory, begin or status, separated "
                    "by commas, then :FILE";
  }
  if (colon != std::string::npos) out.file = value.substr(colon + 1);
  if (out.format == Format::kNone && !out.summary && !out.memory) out.format = Format::kText;
  if (out.format == Format::kChrome && out.file.empty()) {
    out.complaint = "TORCHADA_TRACE=chrome needs a file, as in chrome:FILE; writing text instead";
    out.format = Format::kText;
  }
  if (out.format == Format::kChrome && out.begin) {
    out.complaint =
        "TORCHADA_TRACE: ignoring 'begin', which Chrome's format cannot record; use text or json";
    out.begin = false;
  }
  out.names = split(environment("TORCHADA_TRACE_FILTER"), ",");
  return out;
}

}  // namespace torchada::trace
