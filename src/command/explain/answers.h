// The meaning of a name or a number in CUDA and in MUSA.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "src/command/tables.h"

namespace torchada::explain {

// One export, and the libraries that agree about it.
struct CudaFunction {
  std::vector<const tables::Library*> libraries;
  const tables::Symbol* symbol = nullptr;
  const tables::MusaSymbol* target = nullptr;  // Null if it has none.
};

struct MusaFunction {
  std::string library;
  const tables::MusaSymbol* symbol = nullptr;
  std::vector<std::string> serves;  // CUDA names that lead to it or whose adapter calls it.
};

struct CudaEnumerator {
  const tables::Enumeration* type = nullptr;
  const tables::EnumValue* value = nullptr;
  // Its counterpart in MUSA, or null.
  const tables::MusaEnumeration* musa_type = nullptr;
  const tables::MusaEnumValue* musa = nullptr;
};

struct MusaEnumerator {
  const tables::MusaEnumeration* type = nullptr;
  const tables::MusaEnumValue* value = nullptr;
  tables::SdkRange sdk;           // The SDKs in which it has this number.
  std::vector<std::string> cuda;  // Corresponding names.
};

// A CUDA type, which is an enumeration or a layout, and MUSA's corresponding type.
struct CudaTypeAnswer {
  std::string name, library, musa;
  const tables::Enumeration* enumeration = nullptr;
  const tables::CudaType* layouts = nullptr;
  std::vector<const tables::MusaEnumeration*> musa_enumerations;  // One for each range of SDKs.
  std::vector<const tables::MusaLayout*> musa_layouts;
};

struct MusaTypeAnswer {
  std::string name, library;
  std::vector<const tables::MusaEnumeration*> enumerations;
  std::vector<const tables::MusaLayout*> layouts;
  std::vector<std::string> cuda;  // Corresponding types.
};

struct Answer {
  std::string query;
  std::vector<CudaFunction> cuda_functions;
  std::vector<MusaFunction> musa_functions;
  std::vector<CudaEnumerator> cuda_enumerators;
  std::vector<MusaEnumerator> musa_enumerators;
  std::vector<CudaTypeAnswer> cuda_types;
  std::vector<MusaTypeAnswer> musa_types;
  std::vector<std::string> nearest;  // Suggestions for an unknown name.
  bool is_known() const;
};

// For a name, finds everything with that name. For a number, finds every status with that value.
Answer explain(const tables::Tables& tables, const std::string& query);

// Adds the types with that name.
void find_types(const tables::Tables& tables, Answer* answer);
std::string text_of(const CudaTypeAnswer& type);
std::string text_of(const MusaTypeAnswer& type);
nlohmann::ordered_json json_of(const CudaTypeAnswer& type);
nlohmann::ordered_json json_of(const MusaTypeAnswer& type);

std::string write_text(const Answer& answer);
nlohmann::ordered_json write_json(const Answer& answer);

}  // namespace torchada::explain
