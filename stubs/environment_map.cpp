#include "stubs/environment_map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "stubs/environment.h"
#include "stubs/log.h"
#include "stubs/table.h"

extern char** environ;

namespace torchada {
namespace {

using Name = Text<256>;

bool in_list(const char* const* list, const char* name) {
  for (; *list; ++list) {
    if (strcmp(*list, name) == 0) return true;
  }
  return false;
}

// An empty value counts too: CUDA_VISIBLE_DEVICES= means no device.
void copy_variable(const char* cuda, const char* musa) {
  const char* value = secure_getenv(cuda);
  if (!value || getenv(musa)) return;
  // Overwrites nothing: two threads may be here at once, and a value that the user set wins.
  if (setenv(musa, value, 0) != 0) return;
  Line line;
  line << musa << "=" << value << " (from " << cuda << ")";
  log(LogLevel::kInfo, line);
}

// MUSA's name for the variable that `entry` ("NAME=value") sets. Empty if the rule does not apply
// or MUSA's variable is already set.
Name target_of(const char* entry, const VariablePrefix& rule) {
  Name name;
  const size_t prefix = strlen(rule.cuda);
  const size_t length = strcspn(entry, "=");
  if (length <= prefix || strncmp(entry, rule.cuda, prefix) != 0) return name;
  name.append(entry, length);
  if (name.truncated() || in_list(rule.except, name.c_str())) {
    name.clear();
    return name;
  }
  name.clear();
  name << rule.musa;
  name.append(entry + prefix, length - prefix);
  if (name.truncated() || getenv(name.c_str())) name.clear();
  return name;
}

// Copies one variable, then the caller starts again, because setenv may move the environment.
bool copy_one(const VariablePrefix& rule) {
  for (char** entry = environ; entry && *entry; ++entry) {
    const Name musa = target_of(*entry, rule);
    const char* value = strchr(*entry, '=');
    if (musa.size() != 0 && value) return setenv(musa.c_str(), value + 1, 0) == 0;
  }
  return false;
}

}  // namespace

void apply_environment_map() {
  const Variable* variable = torchada_backend_table.variables;
  for (; variable->cuda; ++variable) copy_variable(variable->cuda, variable->musa);
  if (getauxval(AT_SECURE) != 0) return;  // setuid: no variable is read.
  const VariablePrefix* rule = torchada_backend_table.prefixes;
  for (; rule->cuda; ++rule) {
    while (copy_one(*rule)) {
    }
  }
}

void report_late_environment() {
  const Variable* variable = torchada_backend_table.variables;
  for (; variable->cuda; ++variable) {
    const char* value = secure_getenv(variable->cuda);
    const char* set = getenv(variable->musa);
    if (!value || (set && strcmp(set, value) == 0)) continue;
    Line line;
    line << variable->cuda << "=" << value
         << " has no effect: MUSA was opened before the first CUDA call";
    if (set) line << ", with " << variable->musa << "=" << set;
    line << "; set " << variable->musa << "=" << value;
    log(LogLevel::kWarn, line);
    return;
  }
}

}  // namespace torchada
