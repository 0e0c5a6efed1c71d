#pragma once

void saxpy_loop(float a, const float* x, float* y, int n);
void naive_product(const float* a, const float* b, float* c, int n);
void turn_loop(const float* picture, float* out, int width, float cosine, float sine);
