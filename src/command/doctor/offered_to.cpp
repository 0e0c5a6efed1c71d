#include "src/command/doctor/offered_to.h"

#include "src/command/doctor/checks.h"
#include "src/shared/split.h"

namespace torchada::doctor {

std::string offered_to(const Subject& subject, const std::string& offered) {
  for (const tables::Library& library : subject.tables->libraries) {
    if (library.offered != offered) continue;
    for (const Object& object : subject.objects) {
      if (base_name_of(object.path) != library.soname) continue;
      return is_ours(subject, object.path) ? object.path : "";
    }
    const std::string folders =
        subject.variable("TORCHADA_AUDIT_LIB") + ":" + subject.variable("LD_LIBRARY_PATH");
    for (const std::string& folder : split(folders, ":;")) {
      const std::string path = folder + "/" + library.soname;
      if (subject.files.has(path)) return is_ours(subject, path) ? path : "";
    }
    return "";
  }
  return "";
}

}  // namespace torchada::doctor
