#include "src/command/tables.h"

#include <list>
#include <stdexcept>

#include "src/command/command.h"
#include "src/inspect/mapped_file.h"

namespace torchada::tables {
namespace {

// Kept until the command ends.
std::string_view mapped(const std::string& path) {
  static std::list<MappedFile> files;
  try {
    return files.emplace_back(path).bytes();
  } catch (const std::runtime_error&) {
    throw Failure(path + " cannot be read: the installation is incomplete; reinstall torchada");
  }
}

}  // namespace

const Tables& read(const std::string& root) {
  const std::string path = root + "/share/tables.bin";
  const std::string_view bytes = mapped(path);
  try {
    return tables_in(bytes);
  } catch (const std::runtime_error& error) {
    throw Failure(path + " is damaged: " + error.what() + "; reinstall torchada");
  }
}

}  // namespace torchada::tables
