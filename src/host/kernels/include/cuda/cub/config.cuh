#pragma once
#error torchada: CUB, whose warps are inline PTX
#include_next <cub/config.cuh>
