// Types in CUDA and in MUSA, with the numbers of enumerators and the offsets of fields.
#include <algorithm>

#include "src/command/explain/answers.h"
#include "src/command/output.h"
#include "src/command/text_layout.h"

namespace torchada::explain {
namespace {

using Json = nlohmann::ordered_json;

std::string what_it_is(const tables::Layout& layout) {
  std::string out = layout.kind;
  if (!layout.underlying.empty()) out += " " + layout.underlying;
  if (layout.size > 0) out += " of " + std::to_string(layout.size) + " bytes";
  if (layout.align > 0) out += ", aligned to " + std::to_string(layout.align);
  const bool unknown = layout.fields.empty() && layout.size == 0 && layout.underlying.empty();
  return out + (unknown ? ", otherwise unknown" : "");
}

std::string sdks(const tables::SdkRange& range) {
  const std::string text = tables::written(range);
  return text.empty() ? "all SDKs" : "SDK " + text;
}

template <typename Record>
std::string evidence(int depth, const Record& record) {
  return record.sources.empty() ? "" : line(depth, "sources: " + joined(record.sources));
}

const tables::MusaEnumValue* value_of(const tables::MusaEnumeration& type, std::string_view name) {
  const auto* found = std::find_if(type.values.begin(), type.values.end(),
                                   [&](const auto& value) { return value.name == name; });
  return found == type.values.end() ? nullptr : found;
}

const tables::Field* field_of(const tables::Layout& layout, std::string_view name) {
  const auto* found = std::find_if(layout.fields.begin(), layout.fields.end(),
                                   [&](const auto& field) { return field.name == name; });
  return found == layout.fields.end() ? nullptr : found;
}

std::string number_of(const tables::MusaEnumValue& value) {
  return (value.value ? std::to_string(*value.value) : "unknown") + " (tier " + value.tier + ")";
}

std::string placed(const tables::Field* field) {
  return field == nullptr ? "absent" : "at " + std::to_string(field->offset);
}

// Example: "8", or "8 (11.8), 16 (12.9, 13.0)" if releases differ.
std::string agreed(const std::vector<std::pair<std::string, std::string>>& values) {
  const bool same = std::all_of(values.begin(), values.end(), [&](const auto& item) {
    return item.second == values.front().second;
  });
  if (same) return values.empty() ? "" : values.front().second;
  std::string out;
  for (const auto& [where, value] : values) {
    out += (out.empty() ? "" : ", ") + value + " (" + where + ")";
  }
  return out;
}

std::string enumerators(const CudaTypeAnswer& type) {
  std::string out;
  for (const tables::EnumValue& value : type.enumeration->values) {
    std::string text = value.name + " = " + std::to_string(value.value);
    std::vector<std::pair<std::string, std::string>> numbers;
    for (const tables::MusaEnumeration* other : type.musa_enumerations) {
      const tables::MusaEnumValue* found = value_of(*other, value.musa);
      numbers.emplace_back(sdks(other->sdk), found ? number_of(*found) : "unknown");
    }
    if (!numbers.empty()) text += "; in MUSA " + value.musa + " = " + agreed(numbers);
    if (!value.refused.empty()) text += "; refused: " + value.refused;
    out += line(2, text);
  }
  return out;
}

// The fields of all releases, each once, starting with those of the newest release.
std::vector<const tables::Field*> all_fields(const tables::CudaType& type) {
  std::vector<const tables::Field*> out;
  for (auto variant = type.variants.rbegin(); variant != type.variants.rend(); ++variant) {
    for (const tables::Field& field : variant->layout.fields) {
      const bool known = std::any_of(out.begin(), out.end(),
                                     [&](const auto& item) { return item->name == field.name; });
      if (!known) out.push_back(&field);
    }
  }
  return out;
}

std::string fields(const CudaTypeAnswer& type) {
  std::string out;
  for (const tables::Field* listed : all_fields(*type.layouts)) {
    const tables::Field& field = *listed;
    std::vector<std::pair<std::string, std::string>> cuda;
    for (const tables::CudaLayout& variant : type.layouts->variants) {
      const tables::Field* found = field_of(variant.layout, field.name);
      cuda.emplace_back(joined(variant.releases), placed(found));
    }
    std::vector<std::pair<std::string, std::string>> musa;
    for (const tables::MusaLayout* other : type.musa_layouts) {
      if (other->layout.fields.empty()) continue;
      const tables::Field* found = field_of(other->layout, field.name);
      musa.emplace_back(sdks(other->sdk), placed(found));
    }
    std::string text = field.type + " " + field.name + " " + agreed(cuda);
    if (!musa.empty()) text += "; in MUSA " + agreed(musa);
    out += line(2, text);
  }
  return out;
}

std::string musa_side(int depth, const std::vector<const tables::MusaEnumeration*>& enumerations,
                      const std::vector<const tables::MusaLayout*>& layouts) {
  std::string out;
  for (const tables::MusaEnumeration* item : enumerations) {
    out += line(depth, item->name + ", " + sdks(item->sdk) + ": enum (tier " + item->tier + ")");
    out += evidence(depth + 1, *item);
  }
  for (const tables::MusaLayout* item : layouts) {
    out += line(depth, item->name + ", " + sdks(item->sdk) + ": " + what_it_is(item->layout) +
                           " (tier " + item->tier + ")");
    if (!item->note.empty()) out += line(depth + 1, "note: " + item->note);
    out += evidence(depth + 1, *item);
  }
  return out;
}

Json json_of(const tables::Layout& layout) {
  Json out = {{"kind", layout.kind},
              {"underlying", layout.underlying},
              {"size", layout.size},
              {"align", layout.align},
              {"fields", Json::array()}};
  for (const tables::Field& field : layout.fields) {
    out["fields"].push_back({{"name", field.name}, {"type", field.type}, {"offset", field.offset}});
  }
  return out;
}

Json json_of_musa(const std::vector<const tables::MusaEnumeration*>& enumerations,
                  const std::vector<const tables::MusaLayout*>& layouts) {
  Json out = Json::array();
  for (const tables::MusaEnumeration* item : enumerations) {
    Json record = {{"name", item->name}, {"kind", "enum"},           {"sdk", sdks(item->sdk)},
                   {"tier", item->tier}, {"sources", item->sources}, {"values", Json::array()}};
    for (const tables::MusaEnumValue& value : item->values) {
      record["values"].push_back({{"name", value.name},
                                  {"value", value.value ? Json(*value.value) : Json()},
                                  {"tier", value.tier}});
    }
    out.push_back(record);
  }
  for (const tables::MusaLayout* item : layouts) {
    Json record = json_of(item->layout);
    record["name"] = item->name;
    record["sdk"] = sdks(item->sdk);
    record["tier"] = item->tier;
    record["sources"] = item->sources;
    record["note"] = item->note;
    out.push_back(record);
  }
  return out;
}

class TypeSearch {
 public:
  TypeSearch(const tables::Tables& tables, Answer* answer) : tables_(tables), answer_(answer) {}

  void run() {
    for (const tables::Enumeration& type : tables_.types) {
      if (type.name != answer_->query) continue;
      add(type).enumeration = &type;
    }
    for (const tables::CudaType& type : tables_.layouts) {
      if (type.name != answer_->query) continue;
      add(type).layouts = &type;
    }
    musa();
  }

 private:
  template <typename Type>
  CudaTypeAnswer& add(const Type& type) {
    CudaTypeAnswer& out = answer_->cuda_types.emplace_back();
    out.name = type.name;
    out.library = type.library;
    out.musa = type.musa;
    for (const tables::MusaEnumeration& other : tables_.musa_types) {
      if (other.name == type.musa) out.musa_enumerations.push_back(&other);
    }
    for (const tables::MusaLayout& other : tables_.musa_layouts) {
      if (other.name == type.musa) out.musa_layouts.push_back(&other);
    }
    return out;
  }

  void musa() {
    MusaTypeAnswer out;
    out.name = answer_->query;
    for (const tables::MusaEnumeration& type : tables_.musa_types) {
      if (type.name != out.name) continue;
      out.library = type.library;
      out.enumerations.push_back(&type);
    }
    for (const tables::MusaLayout& type : tables_.musa_layouts) {
      if (type.name != out.name) continue;
      out.library = type.library;
      out.layouts.push_back(&type);
    }
    if (out.library.empty()) return;
    for (const tables::Enumeration& type : tables_.types) {
      if (type.musa == out.name) out.cuda.push_back(type.name);
    }
    for (const tables::CudaType& type : tables_.layouts) {
      if (type.musa == out.name) out.cuda.push_back(type.name);
    }
    answer_->musa_types.push_back(out);
  }

  const tables::Tables& tables_;
  Answer* answer_;
};

}  // namespace

void find_types(const tables::Tables& tables, Answer* answer) { TypeSearch(tables, answer).run(); }

std::string text_of(const CudaTypeAnswer& type) {
  std::string out = line(1, "a CUDA type of " + type.library);
  if (type.enumeration != nullptr) out += line(2, "enum") + enumerators(type);
  if (type.layouts != nullptr) {
    for (const tables::CudaLayout& variant : type.layouts->variants) {
      out += line(2, "CUDA " + joined(variant.releases) + ": " + what_it_is(variant.layout));
    }
    out += fields(type);
  }
  if (type.musa.empty()) return out + line(2, "in MUSA: no matching type");
  const bool known = !type.musa_enumerations.empty() || !type.musa_layouts.empty();
  out += line(2, "in MUSA: " + type.musa + (known ? "" : ", otherwise unknown"));
  return out + musa_side(3, type.musa_enumerations, type.musa_layouts);
}

std::string text_of(const MusaTypeAnswer& type) {
  std::string out = line(1, "a MUSA type of lib" + type.library);
  out += musa_side(2, type.enumerations, type.layouts);
  for (const tables::MusaEnumeration* item : type.enumerations) {
    for (const tables::MusaEnumValue& value : item->values) {
      const bool several = type.enumerations.size() > 1;
      out +=
          line(2, value.name + " = " + number_of(value) + (several ? ", " + sdks(item->sdk) : ""));
    }
  }
  for (const tables::MusaLayout* item : type.layouts) {
    for (const tables::Field& field : item->layout.fields) {
      const bool several = type.layouts.size() > 1;
      out += line(2, field.type + " " + field.name + " at " + std::to_string(field.offset) +
                         (several ? ", " + sdks(item->sdk) : ""));
    }
  }
  return out + line(2, "in CUDA: " + (type.cuda.empty() ? "no type" : joined(type.cuda)));
}

Json json_of(const CudaTypeAnswer& type) {
  Json out = {{"name", type.name},
              {"library", type.library},
              {"musa_name", type.musa},
              {"values", Json::array()},
              {"variants", Json::array()},
              {"musa", json_of_musa(type.musa_enumerations, type.musa_layouts)}};
  if (type.enumeration != nullptr) {
    for (const tables::EnumValue& value : type.enumeration->values) {
      out["values"].push_back({{"name", value.name},
                               {"value", value.value},
                               {"abis", value.abis},
                               {"musa_name", value.musa}});
    }
  }
  if (type.layouts != nullptr) {
    for (const tables::CudaLayout& variant : type.layouts->variants) {
      Json record = json_of(variant.layout);
      record["releases"] = variant.releases;
      out["variants"].push_back(record);
    }
  }
  return out;
}

Json json_of(const MusaTypeAnswer& type) {
  return {{"name", type.name},
          {"library", type.library},
          {"cuda", type.cuda},
          {"musa", json_of_musa(type.enumerations, type.layouts)}};
}

}  // namespace torchada::explain
