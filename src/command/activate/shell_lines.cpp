#include "src/command/activate/shell_lines.h"

#include "src/command/command.h"

namespace torchada::activate {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text)
    out += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return out + "'";
}

}  // namespace

std::string lines_that_add(const std::filesystem::path& folder) {
  const std::string& path = folder.native();
  if (path.find_first_of(":;\n") != std::string::npos) {
    throw UsageError(path +
                     " cannot be put into LD_LIBRARY_PATH: it contains ':', ';' or a line break; "
                     "install torchada in another directory");
  }
  return "# Written by 'torchada activate'; 'torchada deactivate' removes it.\n"
         "if [ -d " +
         quoted(path) +
         " ]; then\n"
         "  case \":${LD_LIBRARY_PATH-}:\" in\n"
         "    *" +
         quoted(":" + path + ":") +
         "*) ;;\n"
         "    *)\n"
         "      LD_LIBRARY_PATH=" +
         quoted(path) +
         "\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\n"
         "      export LD_LIBRARY_PATH\n"
         "      ;;\n"
         "  esac\n"
         "fi\n";
}

std::string lines_that_remove(const std::vector<std::filesystem::path>& folders) {
  std::string words;
  for (const std::filesystem::path& folder : folders) words += " " + quoted(folder.native());
  return "torchada_list=\":${LD_LIBRARY_PATH-}:\"\n"
         "for torchada_folder in" +
         words +
         "; do\n"
         "  while :; do\n"
         "    case \"$torchada_list\" in\n"
         "      *\":$torchada_folder:\"*) ;;\n"
         "      *) break ;;\n"
         "    esac\n"
         "    torchada_list=\"${torchada_list%%\":$torchada_folder:\"*}:"
         "${torchada_list#*\":$torchada_folder:\"}\"\n"
         "  done\n"
         "done\n"
         "torchada_list=\"${torchada_list#:}\"\n"
         "LD_LIBRARY_PATH=\"${torchada_list%:}\"\n"
         "if [ -n \"$LD_LIBRARY_PATH\" ]; then export LD_LIBRARY_PATH; else unset LD_LIBRARY_PATH; "
         "fi\n"
         "unset torchada_list torchada_folder\n";
}

}  // namespace torchada::activate
