// torchada explain
#include "src/command/command.h"

#include "src/command/check/other_libraries.h"
#include "src/command/common_options.h"
#include "src/command/explain/answers.h"
#include "src/command/help.h"
#include "src/command/installation.h"
#include "src/command/messages.h"
#include "src/command/output.h"

namespace torchada {
namespace {

std::string format;

int run_explain(const Invocation& invocation) {
  if (invocation.words.empty())
    throw UsageError("nothing to explain: name a function, a type, an enumerator or a status code");
  const tables::Tables& tables = tables::read(installation_root());
  std::string text;
  auto json = nlohmann::ordered_json::array();
  bool all_known = true;
  for (const std::string& word : invocation.words) {
    const explain::Answer answer = explain::explain(tables, word);
    if (answer.is_known()) {
      text += (text.empty() ? "" : "\n") + explain::write_text(answer);
    } else {
      all_known = false;
      const std::string meant =
          answer.nearest.empty() ? "" : "; did you mean " + listed(answer.nearest) + "?";
      if (const OtherLibrary* other = check::find_other_by_function(word)) {
        log_error("{} belongs to {} ({}), which torchada does not replace; {}", word, other->stem,
                  other->what, other->advice);
      } else {
        log_error("'{}' is not a known name or status code{}", word, meant);
      }
    }
    json.push_back(explain::write_json(answer));
  }
  if (format == "json") {
    text = json_text(json);
  }
  return write_output(text, all_known ? kExitOk : kExitNo);
}

}  // namespace

const Command& explain_command() {
  static const Command command = {
      "explain",
      "explain what torchada does with a CUDA function, or what a status code means",
      "NAME|CODE ...",
      Words::kSome,
      Kind::kText,
      {"For a function of CUDA or MUSA: prints its standing in each library, where calls go, the "
       "evidence, and both prototypes. For an enumerator: its number in CUDA and in MUSA. For a "
       "type: its kind and its enumerators or fields, with numbers or offsets in CUDA and in MUSA. "
       "For a number (decimal or 0x...): what it means as a status of each library. Write -- "
       "before a negative number.",
       "A tier says what a fact about MUSA rests on: doc and stronger ones are MUSA's own "
       "documents, "
       "headers and libraries; weaker ones, such as map (a list of names of a tool that ports CUDA "
       "code), make a function only assumed. mappings/musa/README.md in the repository lists "
       "them."},
      {format_option(&format, {"text", "json"})},
      {{kExitOk, "done"},
       {kExitNo, "an argument is not known; similar names are printed to stderr"},
       {kExitUsage, "bad usage"},
       {kExitFailed, "the installation is damaged, or the output could not be written"}},
      {{"explain cublasSgemm_v2", "where calls go"},
       {"explain 209 CUBLAS_OP_T", "status 209 of each library, and an enumerator"},
       {"explain cudaDeviceProp", "a struct: where its members lie in CUDA and in MUSA"}},
      run_explain};
  return command;
}

}  // namespace torchada
