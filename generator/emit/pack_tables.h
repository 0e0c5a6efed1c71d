// share/tables.bin from JSON that names the fields of src/shared/records.h, and back.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "src/shared/records.h"

namespace torchada {

// A field that the JSON lacks is empty. Throws std::runtime_error on one that records.h lacks, and
// on a value of another type.
std::string pack_tables(const nlohmann::ordered_json& json);

// Without empty texts and lists, and without what is false.
nlohmann::ordered_json unpack_tables(const tables::Tables& tables);

}  // namespace torchada
