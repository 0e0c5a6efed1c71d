// MTRTC: source compiled at run time. What an image does when the driver runs it, or what stands in
// the log, tells whether a call was understood.
#include <string>

#include "src/command/verify/probes/driver.h"
#include "src/command/verify/probes/probes.h"

namespace torchada::verify {
namespace {

constexpr int kCount = 64;

// Writes kCount numbers: what `expression` makes of their index i.
std::string kernel(const std::string& expression, const std::string& before = "") {
  return before + "extern \"C\" __global__ void fill(int* out) {\n  const int i = threadIdx.x;\n" +
         "  out[i] = " + expression + ";\n}\n";
}

class Program {
 public:
  Program(Probing& p, const std::string& source, const std::string& name = "probe.mu",
          const std::string& header = "")
      : p_(p) {
    const char* const headers[] = {header.c_str()};
    const char* const names[] = {"probe.h"};
    OutBuffer program;
    p.good("mtrtcCreateProgram", {{"prog", &program},
                                  {"src", source.c_str()},
                                  {"name", name.c_str()},
                                  {"numHeaders", header.empty() ? 0 : 1},
                                  {"headers", headers},
                                  {"includeNames", names}});
    handle_ = program.pointer();
  }

  void* handle() const { return handle_; }

  // Stops if the machine lacks parts of the compiler, which says nothing about the library.
  std::int64_t compile(const std::vector<const char*>& options = {}) {
    const std::int64_t status =
        p_.call("mtrtcCompileProgram",
                {{"prog", handle_}, {"numOptions", options.size()}, {"options", options.data()}})
            .number;
    if (status == p_.value("mtrtcResult", "MTRTC_ERROR_BUILTIN_OPERATION_FAILURE")) {
      throw Stop("parts of the compiler are missing on this machine");
    }
    return status;
  }

  // Stops if the compilation fails.
  void must_compile(const std::vector<const char*>& options = {}) {
    if (const std::int64_t status = compile(options)) {
      p_.contradict(p_.facts().prototype("mtrtcCompileProgram")->id, "a compilation",
                    "status " + std::to_string(status) + ", " + log());
      throw Stop("mtrtcCompileProgram returned " + std::to_string(status));
    }
  }

  std::string log() {
    OutBuffer size;
    p_.good("mtrtcGetProgramLogSize", {{"prog", handle_}, {"logSizeRet", &size}});
    std::string out(size.get<std::size_t>() + 1, '\1');
    p_.good("mtrtcGetProgramLog", {{"prog", handle_}, {"log", out.data()}});
    return out;
  }

  // By the names that this library has; `form` is FatBin or MUSA.
  std::vector<char> image(const std::string& form) {
    const std::string parameter = form == "MUSA" ? "musa" : "fatbin";
    OutBuffer size;
    p_.good("mtrtcGet" + form + "Size", {{"prog", handle_}, {parameter + "SizeRet", &size}});
    std::vector<char> out(size.get<std::size_t>() + 1, '\1');
    p_.good("mtrtcGet" + form, {{"prog", handle_}, {parameter, out.data()}});
    return out;
  }

 private:
  Probing& p_;
  void* handle_ = nullptr;
};

std::string form_of(Probing& p) { return p.has("mtrtcGetFatBinSize") ? "FatBin" : "MUSA"; }

// What the kernel `name` of the image writes.
std::vector<int> run(Probing& p, const std::vector<char>& image, const std::string& name) {
  Driver driver(p);
  OutBuffer module;
  p.good("muModuleLoadData", {{"module", &module}, {"image", image.data()}});
  OutBuffer function;
  p.good("muModuleGetFunction",
         {{"hfunc", &function}, {"hmod", module.pointer()}, {"name", name.c_str()}});
  std::uint64_t place = driver.allocate(kCount * sizeof(int));
  void* arguments[] = {&place};
  p.good("muLaunchKernel", {{"f", function.pointer()},
                            {"gridDimX", 1},
                            {"gridDimY", 1},
                            {"gridDimZ", 1},
                            {"blockDimX", kCount},
                            {"blockDimY", 1},
                            {"blockDimZ", 1},
                            {"sharedMemBytes", 0},
                            {"hStream", nullptr},
                            {"kernelParams", arguments},
                            {"extra", nullptr}});
  const std::vector<unsigned char> bytes = driver.read(place, kCount * sizeof(int));
  std::vector<int> out(kCount);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

bool are_multiples(const std::vector<int>& found, int factor) {
  for (int i = 0; i < kCount; ++i) {
    if (found[static_cast<std::size_t>(i)] != i * factor) return false;
  }
  return true;
}

std::string first_of(const std::vector<int>& found) {
  return std::to_string(found[0]) + ", " + std::to_string(found[1]) + ", " +
         std::to_string(found[2]);
}

// The status of `what`, by the name that the tables have for it.
void expect_status(Probing& p, const std::string& enumerator, const std::string& what,
                   std::int64_t status) {
  const Fact* fact = p.facts().value("mtrtcResult", enumerator);
  if (!fact || !fact->value) return;
  p.decide(fact->id, status == *fact->value, fact->claim + " for " + what, std::to_string(status));
}

void probe_library(Probing& p) {
  p.attempt([&] {
    OutBuffer major;
    OutBuffer minor;
    p.good("mtrtcVersion", {{"major", &major}, {"minor", &minor}});
    const std::int64_t version = major.integer() * 1000 + minor.integer();
    p.expect(version > 0 && version < 1000000, {"mtrtcVersion"}, "a version",
             std::to_string(major.integer()) + "." + std::to_string(minor.integer()));
  });
  p.attempt([&] {
    const auto text = [&](int number) {
      const void* const found = p.call("mtrtcGetErrorString", {{"result", number}}).pointer;
      return std::string(found ? static_cast<const char*>(found) : "");
    };
    const std::string good = text(0);
    const std::string bad = text(p.value("mtrtcResult", "MTRTC_ERROR_COMPILATION"));
    p.expect(!good.empty() && !bad.empty() && good != bad, {"mtrtcGetErrorString"},
             "a text of its own for each result", "'" + good + "' and '" + bad + "'");
  });
}

void probe_programs(Probing& p) {
  Program program(p, kernel("i"));
  p.expect(program.handle() != nullptr, {"mtrtcCreateProgram"}, "a program", "null");
  void* place = program.handle();
  p.good("mtrtcDestroyProgram", {{"prog", &place}});
  p.expect(place == nullptr, {"mtrtcDestroyProgram"}, "the handle is null afterwards",
           "it is kept");
  p.attempt([&] {
    OutBuffer none;
    expect_status(p, "MTRTC_ERROR_INVALID_INPUT", "a program without source",
                  p.call("mtrtcCreateProgram", {{"prog", &none},
                                                {"src", nullptr},
                                                {"name", "probe.mu"},
                                                {"numHeaders", 0},
                                                {"headers", nullptr},
                                                {"includeNames", nullptr}})
                      .number);
  });
  p.attempt([&] {
    expect_status(
        p, "MTRTC_ERROR_INVALID_PROGRAM", "the compilation of no program",
        p.call("mtrtcCompileProgram", {{"prog", nullptr}, {"numOptions", 0}, {"options", nullptr}})
            .number);
  });
}

void probe_images(Probing& p) {
  Program program(p, kernel("3 * i"));
  program.must_compile();
  for (const std::string form : {"FatBin", "MUSA"}) {
    p.attempt([&] {
      const std::vector<char> image = program.image(form);
      p.expect(image.size() > 1 && image.back() == '\1',
               {"mtrtcGet" + form, "mtrtcGet" + form + "Size"}, "as many bytes as were told",
               "more, or none");
      const std::vector<int> found = run(p, image, "fill");
      p.expect(are_multiples(found, 3), {"mtrtcCompileProgram"}, "an image that writes 0, 3, 6",
               first_of(found));
    });
  }
}

void probe_headers(Probing& p) {
  Program program(p, kernel("kFactor * i", "#include \"probe.h\"\n"), "probe.mu",
                  "constexpr int kFactor = 5;\n");
  if (program.compile() != 0) {
    p.expect(false, {"mtrtcCreateProgram"}, "the header is found", program.log());
    return;
  }
  const std::vector<int> found = run(p, program.image(form_of(p)), "fill");
  p.expect(are_multiples(found, 5), {"mtrtcCreateProgram"}, "the header's constant, 0, 5, 10",
           first_of(found));
}

void probe_names(Probing& p) {
  const std::string expression = "ours::fill<7>";
  const std::string source =
      "namespace ours {\ntemplate <int kFactor>\n__global__ void fill(int* out) {\n"
      "  out[threadIdx.x] = threadIdx.x * kFactor;\n}\n}\n";
  Program program(p, source + kernel("0"));
  p.good("mtrtcAddNameExpression",
         {{"prog", program.handle()}, {"name_expression", expression.c_str()}});
  const auto lowered = [&](const char* name, OutBuffer* out) {
    return p
        .call("mtrtcGetLoweredName",
              {{"prog", program.handle()}, {"name_expression", name}, {"lowered_name", out}})
        .number;
  };
  p.attempt([&] {
    OutBuffer none;
    expect_status(p, "MTRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                  "a name before the compilation", lowered(expression.c_str(), &none));
  });
  program.must_compile();
  OutBuffer name;
  const std::int64_t status = lowered(expression.c_str(), &name);
  const std::string text = status == 0 ? static_cast<const char*>(name.pointer()) : "";
  const std::vector<int> found = run(p, program.image(form_of(p)), text);
  p.expect(are_multiples(found, 7), {"mtrtcAddNameExpression", "mtrtcGetLoweredName"},
           "the name of a kernel that writes 0, 7, 14", text + ": " + first_of(found));
  p.attempt([&] {
    expect_status(p, "MTRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                  "an expression that comes too late",
                  p.call("mtrtcAddNameExpression",
                         {{"prog", program.handle()}, {"name_expression", "ours::fill<8>"}})
                      .number);
  });
  p.attempt([&] {
    OutBuffer none;
    expect_status(p, "MTRTC_ERROR_NAME_EXPRESSION_NOT_VALID", "an expression that was not added",
                  lowered("ours::fill<9>", &none));
  });
}

void probe_errors(Probing& p) {
  Program program(p, "// one\n" + kernel("no_such_name"), "mine.mu");
  expect_status(p, "MTRTC_ERROR_COMPILATION", "a source with an error", program.compile());
  const std::string log = program.log();
  const std::size_t end = log.find('\0');
  const bool names_line =
      log.find("mine.mu:4") != std::string::npos || log.find("mine.mu(4)") != std::string::npos;
  p.expect(names_line && end == log.size() - 2, {"mtrtcGetProgramLog", "mtrtcGetProgramLogSize"},
           "a text with its zero that names mine.mu, line 4", log.substr(0, end));
}

void probe_options(Probing& p) {
  Program program(p, kernel("FACTOR * i"));
  for (const int factor : {2, 9}) {
    p.attempt([&] {
      const std::string define = "-DFACTOR=" + std::to_string(factor);
      program.must_compile({define.c_str(), "-std=c++17"});
      const std::vector<int> found = run(p, program.image(form_of(p)), "fill");
      p.expect(are_multiples(found, factor), {"mtrtcCompileProgram"},
               "multiples of " + std::to_string(factor), first_of(found));
    });
  }
  p.attempt([&] {
    expect_status(p, "MTRTC_ERROR_INVALID_OPTION", "an option that no compiler has",
                  program.compile({"--no-such-option-of-torchada"}));
  });
}

}  // namespace

std::vector<Probe> compiling_probes() {
  return {{"compiling.library", probe_library}, {"compiling.programs", probe_programs},
          {"compiling.images", probe_images},   {"compiling.headers", probe_headers},
          {"compiling.names", probe_names},     {"compiling.errors", probe_errors},
          {"compiling.options", probe_options}};
}

}  // namespace torchada::verify
