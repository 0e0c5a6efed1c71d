// Turns one type declaration of a header into a TypeFact.
#pragma once

#include <clang-c/Index.h>

#include "generator/tables/model.h"

namespace torchada {

// `declaration` is a typedef, struct, union or enum. An incomplete struct has size 0.
TypeFact type_fact_of(CXCursor declaration);

}  // namespace torchada
