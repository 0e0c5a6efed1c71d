// The build runs this. Writes manual pages and completions below the given share directory.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "src/command/documents/documents.h"

namespace torchada {
namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error(path.string() + ": cannot write");
}

void write_all(const std::filesystem::path& share) {
  const std::filesystem::path manual = share / "man" / "man1";
  write(manual / "torchada.1", documents::man_page());
  for (const Command* command : all_commands()) {
    write(manual / ("torchada-" + command->name + ".1"), documents::man_page(*command));
  }
  write(share / "bash-completion" / "completions" / "torchada", documents::bash_completion());
  write(share / "zsh" / "site-functions" / "_torchada", documents::zsh_completion());
}

}  // namespace
}  // namespace torchada

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: torchada-documents SHARE\n", stderr);
    return 2;
  }
  try {
    torchada::write_all(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "torchada-documents: %s\n", error.what());
    return 1;
  }
  return 0;
}
