#include "src/command/doctor/checks.h"
#include "src/command/static_tls.h"

namespace torchada::doctor {

void check_static_tls(const Subject& subject, Report* report) {
  const StaticTls tls = static_tls_at_start(subject.started);
  if (tls.fits) return;
  const std::string needed = std::to_string(tls.needed) + " bytes";
  const bool has_auditor = !subject.variable("LD_AUDIT").empty();
  const std::string tunables = subject.variable("GLIBC_TUNABLES");
  if (!has_auditor) {
    if (tls.can_reserve) return;
    report->add({"static-tls-preload",
                 Severity::kNote,
                 "this glibc cannot reserve static TLS for the libraries loaded at the start, so "
                 "torchada run uses LD_PRELOAD instead of LD_AUDIT",
                 {{"static TLS needed", needed}, {"LD_PRELOAD", subject.variable("LD_PRELOAD")}},
                 "nothing, if the program finds its libraries; a glibc with "
                 "glibc.rtld.optional_static_tls allows LD_AUDIT"});
  } else if (tls.can_reserve && tunables.find("optional_static_tls=") != std::string::npos) {
    report->add({"static-tls-reserved",
                 Severity::kNote,
                 "with LD_AUDIT set, the libraries loaded at the start need more static TLS than "
                 "glibc keeps free; GLIBC_TUNABLES reserves it in every thread",
                 {{"static TLS needed", needed}, {"GLIBC_TUNABLES", tunables}},
                 ""});
  } else {
    report->add({"static-tls",
                 Severity::kError,
                 "with LD_AUDIT set, the libraries loaded at the start need more static TLS than "
                 "glibc keeps free: the program ends with \"cannot allocate memory in static TLS "
                 "block\"",
                 {{"static TLS needed", needed}, {"LD_PRELOAD", subject.variable("LD_PRELOAD")}},
                 tls.can_reserve
                     ? "start it with torchada run, which reserves it"
                     : "start it with torchada run --via=preload, or remove the library "
                       "from LD_PRELOAD"});
  }
}

}  // namespace torchada::doctor
