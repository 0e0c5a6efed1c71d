// A recipe: where the source of a program's kernels comes from, and how it is compiled. It is a
// file of data (packaging/doc/kernels.md, "A recipe for your program").
#pragma once

#include <map>
#include <string>
#include <vector>

namespace torchada::recipes {

// What `torchada kernels fetch` brings: an archive, or a wheel of the Python package index.
struct Fetched {
  std::string file;               // the name of the archive; empty for a wheel
  std::string sha256;             // in lower case
  std::vector<std::string> urls;  // where the archive is; the first one that answers is taken
  std::string debian_source;      // of the Debian source package that has it; empty: none
  std::string debian_version;
  std::string debian_suite;
  std::string wheel;              // "NAME==VERSION", as pip takes it; empty for an archive
  std::vector<std::string> tags;  // of the wheel: pip's options such as --abi=cp311
  std::string into;               // the folder, from the recipe's own
  int strip = 0;                  // how many folders its members' names lose
  std::vector<std::string> only;  // patterns of members; empty: all
};

// A source that has to be made.
struct Generated {
  std::string makes;  // a file; if it is there, nothing is done
  std::string run;    // for the shell, in the recipe's folder
};

// The file by which a process is known to be the program that the recipe is for.
struct Program {
  std::string name;  // "PyTorch 2.6.0"
  std::string file;  // the end of its path: "torch/lib/libtorch_cuda.so"; empty: not checked
  std::string version_file;  // beside it, named from where `file` begins: "torch/version.py"
  std::string version_text;  // what must stand there
};

struct Recipe {
  std::string path;  // of the recipe
  std::string name;
  Program program;
  std::string capability;  // the compute capability to report, as "8.0"; empty: the device's own
  std::vector<Fetched> fetch;
  std::vector<Generated> generate;
  std::vector<std::string> include;  // folders, absolute
  std::vector<std::string> flags;
  std::vector<std::string> sources;  // patterns of paths, absolute
  // SoftMax_cu: its sources, absolute. Those of the empty name may have kernels whose source the
  // program does not tell.
  std::map<std::string, std::vector<std::string>> exceptions;
  std::vector<std::string> usual;    // names of sources, in the order in which programs need them
  std::vector<std::string> refused;  // what the program can ask for and these sources do not have
  std::string root;                  // the folder that all of these are named from
};

// `named`: the path of a recipe, or the name of one that is installed. Throws Failure, with file
// and line, if there is none or it is malformed.
Recipe read_recipe(const std::string& named);

// What all flags together are, for a compiler.
std::vector<std::string> compiler_flags(const Recipe& recipe);

}  // namespace torchada::recipes
