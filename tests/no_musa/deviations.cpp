#include "tests/no_musa/deviations.h"

#include <fnmatch.h>

#include <algorithm>

#include "src/shared/yaml_source.h"

namespace no_musa {
namespace {

using torchada::YamlNode;

bool fits(const std::vector<std::string>& list, const std::string& item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

bool fits_pattern(const std::vector<std::string>& patterns, const std::string& name) {
  return patterns.empty() ||
         std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
         });
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out.empty() ? "nothing" : out;
}

bool includes(const std::vector<std::string>& all, const std::vector<std::string>& some) {
  return std::all_of(some.begin(), some.end(), [&](const std::string& item) {
    return std::find(all.begin(), all.end(), item) != all.end();
  });
}

// Compares one call of one function: the status; if it is equal, what follows from it; and that
// ours never writes where the real one does not.
class CallComparer {
 public:
  CallComparer(Deviation pattern, std::vector<Deviation>* out)
      : pattern_(std::move(pattern)), out_(out) {}

  void add(const std::string& aspect, const Words& real, const Words& ours) {
    Deviation deviation = pattern_;
    deviation.aspect = aspect;
    deviation.real = real;
    deviation.ours = ours;
    out_->push_back(deviation);
  }

  void run(const Words& real, const Words& ours, const Words& real_last, const Words& ours_last) {
    if (real != ours) {
      add("status", real, ours);
    } else if (real_last != ours_last) {
      add("last error", real_last, ours_last);
    }
  }

  void writes(const Answer& real, const Answer& ours) {
    const bool same = real.writes == ours.writes;
    if (same || (real.pages != ours.pages && includes(real.writes, ours.writes))) return;
    add("writes", join(real.writes), join(ours.writes));
  }

 private:
  const Deviation pattern_;
  std::vector<Deviation>* const out_;
};

std::vector<std::string> list_in(const YamlNode& node, const std::string& key) {
  return node.has(key) ? node.required(key).texts() : std::vector<std::string>();
}

DeviationClass read_class(const std::string& name, const YamlNode& node) {
  node.only({"reason", "libraries", "functions", "real", "ours", "counts"});
  DeviationClass out;
  out.name = name;
  out.line = node.place().line;
  out.reason = node.required("reason").text();
  out.libraries = list_in(node, "libraries");
  out.functions = list_in(node, "functions");
  out.real = list_in(node, "real");
  out.ours = list_in(node, "ours");
  for (const auto& [label, count] : node.required("counts").entries()) {
    if (count.integer() <= 0) count.fail("a class without deviations");
    out.counts[label.text()] = static_cast<int>(count.integer());
  }
  if (out.counts.empty()) node.fail("a class without deviations");
  return out;
}

}  // namespace

Comparison compare(const std::string& label, const std::string& library, const LibraryAnswers& real,
                   const LibraryAnswers& ours) {
  Comparison out;
  for (const auto& [function, expected] : real) {
    const bool zero = is_answer(expected.zero);
    const bool pages = is_answer(expected.pages);
    if (!zero && !pages) {
      ++out.without_answer;
      continue;
    }
    ++out.compared;
    const Answer& found = ours.at(function);
    const std::size_t before = out.deviations.size();
    if (zero) {
      CallComparer comparer({label, library, function, "zero", "", "", ""}, &out.deviations);
      comparer.run(expected.zero, found.zero, expected.zero_last, found.zero_last);
    }
    if (pages) {
      CallComparer comparer({label, library, function, "pages", "", "", ""}, &out.deviations);
      comparer.run(expected.pages, found.pages, expected.pages_last, found.pages_last);
      comparer.writes(expected, found);
    }
    if (out.deviations.size() == before) ++out.equal;
  }
  return out;
}

bool DeviationClass::holds(const Deviation& deviation) const {
  return fits(libraries, deviation.library) && fits_pattern(functions, deviation.function) &&
         fits(real, deviation.real) && fits(ours, deviation.ours);
}

std::vector<DeviationClass> read_deviation_classes(const std::string& file) {
  std::vector<DeviationClass> out;
  for (const auto& [name, node] : torchada::load_yaml(file).entries()) {
    out.push_back(read_class(name.text(), node));
  }
  return out;
}

const DeviationClass* class_of(const std::vector<DeviationClass>& classes,
                               const Deviation& deviation) {
  for (const DeviationClass& candidate : classes) {
    if (candidate.holds(deviation)) return &candidate;
  }
  return nullptr;
}

}  // namespace no_musa
