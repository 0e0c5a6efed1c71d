#include "src/command/bench/measure.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>

#include "src/command/doctor/child.h"
#include "src/command/offered_libraries.h"
#include "src/command/verify/pool.h"

namespace torchada::bench {
namespace {

namespace fs = std::filesystem;
using verify::Probing;
using Clock = std::chrono::steady_clock;

constexpr int kCalls = 20000;
constexpr int kBatches = 9;
constexpr int kTimeout = 60;  // Seconds for one sample.
constexpr char kResult[] = "bench:result";

double nanoseconds(Clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The time of one call: the fastest half of several batches, because disturbances only slow a batch
// down.
template <typename Function, typename... Arguments>
double time_of(Function* function, Arguments... arguments) {
  std::vector<double> batches;
  function(arguments...);  // The first call finds its target.
  for (int batch = 0; batch < kBatches; ++batch) {
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < kCalls; ++i) function(arguments...);
    batches.push_back(nanoseconds(Clock::now() - start) / kCalls);
  }
  std::sort(batches.begin(), batches.end());
  return batches[kBatches / 4];
}

void* open_library(const std::string& path) {
  std::error_code error;
  // dlopen would wait for somebody to write into a FIFO.
  if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
    throw verify::Stop(path + " is not a regular file");
  }
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) throw verify::Stop(dlerror());
  return handle;
}

template <typename Function>
Function* find(void* handle, const char* name) {
  auto* found = reinterpret_cast<Function*>(dlsym(handle, name));
  if (!found) throw verify::Stop(std::string(name) + " is not exported");
  return found;
}

using GetDevice = int(int*);
using GetMode = int(void*, int*);
using Create = int(void**);

double time_device(void* handle, const char* name) {
  int device = 0;
  auto* function = find<GetDevice>(handle, name);
  const int status = function(&device);
  if (status != 0) throw verify::Stop(std::string(name) + " returned " + std::to_string(status));
  return time_of(function, &device);
}

double time_mode(void* handle, const char* create, const char* name) {
  void* blas = nullptr;
  int mode = 0;
  const int status = find<Create>(handle, create)(&blas);
  if (status != 0) throw verify::Stop(std::string(create) + " returned " + std::to_string(status));
  return time_of(find<GetMode>(handle, name), blas, &mode);
}

double time_load(const std::string& path) {
  const Clock::time_point start = Clock::now();
  open_library(path);
  return nanoseconds(Clock::now() - start) / 1000;
}

// The time of the same call from Python.
double time_python(const std::string& library) {
  const std::string python = "/usr/bin/python3";
  if (!fs::exists(python)) throw verify::Stop(python + " does not exist");
  const std::string script =
      "import ctypes, sys, time\n"
      "function = ctypes.CDLL('" +
      library +
      "').cudaGetDevice\n"
      "device = ctypes.byref(ctypes.c_int())\n"
      "status = function(device)\n"
      "if status: sys.exit('cudaGetDevice returned %d' % status)\n"
      "best = 1e9\n"
      "for _ in range(5):\n"
      "    start = time.perf_counter()\n"
      "    for _ in range(5000): function(device)\n"
      "    best = min(best, time.perf_counter() - start)\n"
      "print(best / 5000 * 1e9)\n";
  const doctor::Output out = doctor::output_of({python, "-c", script}, {}, kTimeout);
  if (!out.ended || out.status != 0) throw verify::Stop("python3 failed: " + out.err);
  return std::atof(out.out.c_str());
}

struct Measurement {
  Row row;
  std::function<double(Probing&)> take;
};

std::string musa_path(Probing& p, const std::string& library) {
  const auto found = p.files().libraries.find(library);
  if (found == p.files().libraries.end())
    throw verify::Stop("lib" + library + " not found in this MUSA");
  return found->second.path;
}

// The SONAMEs in a folder of lib/.
std::vector<std::string> libraries_in(const std::string& folder) {
  std::vector<std::string> out;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::directory_iterator(folder)) {
    if (!entry.is_symlink()) out.push_back(entry.path().filename());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Measurement> measurements(const std::string& root) {
  const std::string lib = root + "/lib/";
  const std::string cudart = lib + "libcudart.so.12";
  const std::string companion = root + "/libexec/torchada_companion.so";
  std::vector<Measurement> out = {
      {{"direct", "musaGetDevice", "ns", "", 0, 0, ""},
       [](Probing& p) {
         return time_device(open_library(musa_path(p, "musart")), "musaGetDevice");
       }},
      {{"torchada", "cudaGetDevice", "ns", "direct", 0, 0, ""},
       [cudart](Probing&) { return time_device(open_library(cudart), "cudaGetDevice"); }},
      {{"traced", "cudaGetDevice with TORCHADA_TRACE=summary", "ns", "direct", 0, 0, ""},
       [cudart, companion](Probing&) {
         if (!fs::exists(companion)) throw verify::Stop(companion + " does not exist");
         setenv("TORCHADA_TRACE", "summary:/dev/null", 1);
         return time_device(open_library(cudart), "cudaGetDevice");
       }},
      {{"ctypes", "cudaGetDevice from python3", "ns", "direct", 0, 0, ""},
       [cudart](Probing&) { return time_python(cudart); }},
      {{"direct, enumerator", "mublasGetPointerMode", "ns", "", 0, 0, ""},
       [](Probing& p) {
         return time_mode(open_library(musa_path(p, "mublas")), "mublasCreate",
                          "mublasGetPointerMode");
       }},
      {{"adapted", "cublasGetPointerMode_v2", "ns", "direct, enumerator", 0, 0, ""},
       [lib](Probing&) {
         return time_mode(open_library(lib + "libcublas.so.12"), "cublasCreate_v2",
                          "cublasGetPointerMode_v2");
       }},
      {{"load MUSA", "libmusart", "us", "", 0, 0, ""},
       [](Probing& p) { return time_load(musa_path(p, "musart")); }}};
  std::vector<fs::path> folders = folders_of_run(lib);
  folders.insert(folders.begin(), lib + "cu" TORCHADA_DEFAULT_ABI);
  for (const fs::path& folder : folders) {
    for (const std::string& name : libraries_in(folder)) {
      out.push_back({{"load", name, "us", "load MUSA", 0, 0, ""},
                     [folder, name](Probing&) { return time_load(folder / name); }});
    }
  }
  return out;
}

}  // namespace

std::vector<Row> measure(const std::string& root, const std::string& musart,
                         const verify::Facts& facts, int rounds) {
  const MusaFiles files = read_musa_files(musart);
  std::vector<Measurement> all = measurements(root);
  std::vector<verify::Probe> probes;
  for (const Measurement& one : all) {
    probes.push_back({one.row.name, [&one, &files](Probing& p) {
                        // Trace only where tracing is measured, and use the same MUSA everywhere.
                        setenv("TORCHADA_MUSA_PATH", files.root.c_str(), 1);
                        unsetenv("TORCHADA_TRACE");
                        try {
                          p.confirm(kResult, std::to_string(one.take(p)));
                        } catch (const verify::Stop& stop) {
                          p.leave(kResult, stop.what());
                        }
                      }});
  }
  std::vector<std::vector<double>> samples(all.size());
  for (int round = 0; round < rounds; ++round) {
    const std::vector<verify::ProbeEnd> ends =
        verify::run_probes(probes, facts, files, {.timeout = kTimeout}, [] {});
    for (std::size_t i = 0; i < ends.size(); ++i) {
      std::string& missing = all[i].row.missing;
      if (!ends[i].broken.empty()) missing = "the process " + ends[i].broken;
      for (const verify::Outcome& outcome : ends[i].outcomes) {
        if (outcome.id != kResult) continue;
        if (outcome.verdict == verify::Verdict::kConfirmed) {
          samples[i].push_back(std::atof(outcome.found.c_str()));
        } else {
          missing = outcome.found;
        }
      }
    }
  }
  std::vector<Row> out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Row& row = all[i].row;
    row.median = median(samples[i]);
    row.samples = samples[i].size();
    if (row.samples > 0) row.missing.clear();
    out.push_back(row);
  }
  return out;
}

}  // namespace torchada::bench
