// Writes the lists from which every benchmarked library is built, as X-macros:
//   functions.inc       BENCH_FUNCTION(index, target)  one per export of CUDA 13.0's libcudart
//   calls.inc           BENCH_FUNCTION(index, target)  the same in the order of the calls
//   cudart.inc          BENCH_FUNCTION(index, name)    direct exports of the newest one we emit
//   cudart_targets.inc  BENCH_FUNCTION(index, target)  the targets of those, in the same order
//   used.inc, used_targets.inc                         those of them that several programs use
//   backend.inc         BENCH_EXPORT(name)             everything that the synthetic backend
//   exports
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generator/decide/compare.h"
#include "generator/decide/standing.h"
#include "generator/tables/read_tables.h"

namespace {

using Names = std::vector<std::string>;

// The designs are compared with the 422 functions of this release, whatever later releases add.
constexpr const char* kRelease = "13.0";

// A function of used.inc is used by at least so many of the programs of mappings/clients.csv.
constexpr int kClients = 5;

// "cudaMalloc" -> "musaMalloc", "__cudaLaunchKernel" -> "__musaLaunchKernel". The designs need as
// many functions as the real library has, whether or not MUSA has all of them.
std::string swap_prefix(std::string name) {
  const std::size_t at = name.find("cuda");
  return at == std::string::npos ? "musa_" + name : name.replace(at, 4, "musa");
}

// Programs do not call functions in the order in which a library lists them. With the same order on
// both sides, every caller would be at the same distance from its callee, and whether that distance
// happens to collide in a branch predictor would decide the comparison.
Names in_order_of_calls(Names names) {
  const auto hash = [](const std::string& name) {
    std::uint64_t h = 14695981039346656037u;  // FNV-1a: the same order everywhere.
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return h;
  };
  std::sort(names.begin(), names.end(),
            [&](const std::string& a, const std::string& b) { return hash(a) < hash(b); });
  return names;
}

// The newest libcudart that is emitted.
const torchada::Output& newest_cudart(const std::vector<torchada::Output>& outputs) {
  const torchada::Output* newest = nullptr;
  for (const torchada::Output& output : outputs) {
    if (output.library_name != "cudart") continue;
    if (!newest || output.abi > newest->abi) newest = &output;
  }
  if (!newest) throw std::runtime_error("the tables have no cudart");
  return *newest;
}

// The target of the replacement library's jump for `symbol` with a backend of SDK version
// BENCH_SDK, or "".
std::string direct_target(const torchada::Tables& tables, const torchada::Comparer& comparer,
                          const torchada::Output& output, const torchada::CudaSymbol& symbol) {
  const torchada::ForwardRow* row =
      torchada::row_of(tables.forward[output.library], symbol.name, output.abi);
  // A guard looks at an argument first, so this is not a bare jump.
  if (!row || row->decision != torchada::RowDecision::kDirect || !row->guard.parameter.empty()) {
    return "";
  }
  for (const torchada::Candidate& candidate :
       torchada::candidates_of(tables, comparer, output, symbol, row->target, row->place)) {
    const torchada::SdkRange& sdk = candidate.prototype->sdk;
    if (candidate.comparison.sameness == torchada::Sameness::kDiffers) continue;
    if (BENCH_SDK >= sdk.from && BENCH_SDK < sdk.to) return candidate.symbol->link_name;
  }
  return "";
}

Names used_of(const torchada::Tables& tables, const Names& names) {
  Names used;
  for (const torchada::RankedSymbol& item : tables.clients) {
    if (item.library != "cudart" || item.clients < kClients) continue;
    if (std::find(names.begin(), names.end(), item.symbol) != names.end()) {
      used.push_back(item.symbol);
    }
  }
  return in_order_of_calls(used);
}

void write_list(const std::filesystem::path& path, const Names& names) {
  std::ofstream out(path);
  for (std::size_t i = 0; i < names.size(); ++i) {
    out << "BENCH_FUNCTION(" << i << ", " << names[i] << ")\n";
  }
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

void write_lists(const torchada::Tables& tables, const std::filesystem::path& directory) {
  const std::vector<torchada::Output> outputs = torchada::list_outputs(tables);
  const torchada::Output& cudart = newest_cudart(outputs);
  const torchada::Comparer comparer(tables);
  Names functions, names;
  std::map<std::string, std::string> target_of;
  std::set<std::string> backend;
  for (const torchada::CudaSymbol* symbol : torchada::exports_of(tables, cudart)) {
    const Names& releases = symbol->releases;
    if (std::find(releases.begin(), releases.end(), kRelease) != releases.end()) {
      functions.push_back(swap_prefix(symbol->name));
      backend.insert(functions.back());
    }
    const std::string target = direct_target(tables, comparer, cudart, *symbol);
    if (target.empty()) continue;
    names.push_back(symbol->name);
    target_of[symbol->name] = target;
    backend.insert(target);
  }
  names = in_order_of_calls(names);
  const auto targets_of = [&](const Names& list) {
    Names targets;
    for (const std::string& name : list) targets.push_back(target_of[name]);
    return targets;
  };
  const Names used = used_of(tables, names);
  write_list(directory / "functions.inc", functions);
  write_list(directory / "calls.inc", in_order_of_calls(functions));
  write_list(directory / "cudart.inc", names);
  write_list(directory / "cudart_targets.inc", targets_of(names));
  write_list(directory / "used.inc", used);
  write_list(directory / "used_targets.inc", targets_of(used));
  backend.erase("musaRuntimeGetVersion");  // backend.cpp has it, with a body.
  std::ofstream out(directory / "backend.inc");
  for (const std::string& name : backend) out << "BENCH_EXPORT(" << name << ")\n";
  if (!out.flush()) throw std::runtime_error("cannot write backend.inc");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: write_function_lists MAPPINGS OUT\n";
    return 2;
  }
  try {
    write_lists(torchada::read_tables(argv[1]), argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "write_function_lists: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
