// What CUB's algorithms are compared with, on all cores.
#pragma once

#include <vector>

int cores();
int reduce_on_all_cores(const std::vector<int>& in);
float reduce_on_all_cores(const std::vector<float>& in);
void sort_on_all_cores(std::vector<unsigned>& keys);
