// torchada explain
#include "command.h"

#include <spdlog/spdlog.h>

#include "answers.h"
#include "common_options.h"
#include "help.h"
#include "installation.h"
#include "output.h"

namespace torchada {
namespace {

std::string format;

int run_explain(const Invocation& invocation) {
  if (invocation.words.empty()) throw UsageError("nothing to explain: give a name or a number");
  const tables::Tables tables = tables::read(installation_root());
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
      spdlog::error("nothing is known of '{}'{}", word, meant);
    }
    json.push_back(explain::write_json(answer));
  }
  if (format == "json") {
    text = json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  }
  return write_output(text, all_known ? kExitOk : kExitNo);
}

}  // namespace

const Command& explain_command() {
  static const Command command = {
      "explain",
      "what becomes of a CUDA function, or what an error code means",
      "NAME|CODE ...",
      Words::kSome,
      Kind::kText,
      {"Of a function of CUDA or MUSA: how it stands in each library, where it goes, by what "
       "evidence, and its prototypes on both sides. Of an enumerator: its number on both sides. Of "
       "a type: what it is, its enumerators or fields with their numbers or offsets on both sides. "
       "Of "
       "a number (decimal, or 0x...): what it means as a status of each library; a negative one "
       "after two dashes."},
      {format_option(&format, {"text", "json"})},
      {{kExitOk, "done"},
       {kExitNo, "nothing is known of a word; names that are close are said on stderr"},
       {kExitUsage, "bad usage"},
       {kExitFailed, "the installation is damaged, or the output could not be written"}},
      {{"explain cublasSgemm_v2", "where it goes"},
       {"explain 209 CUBLAS_OP_T", "the status 209 of each library; an enumerator"},
       {"explain cudaDeviceProp", "a struct: where its members lie in CUDA and in MUSA"}},
      run_explain};
  return command;
}

}  // namespace torchada
