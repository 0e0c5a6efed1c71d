#include "tests/kernels/registered/program.h"

struct Scale {
  float by;
};
struct Box {
  char tag;
  double low, high;
  short counts[3];
};

static void apply(struct Scale scale, char shift, struct Box box, float* values) {
  void* arguments[] = {&scale, &shift, &box, &values};
  launch((const void*)apply, arguments);
}

REGISTER { register_kernel((const void*)apply, "_Z5applyIN6shapes5ScaleEEvT_cNS0_3BoxEPf"); }

int main(void) {
  float values[4] = {1, 2, 3, 4};
  float* const memory = upload(values, sizeof values);
  const struct Scale scale = {10};
  const struct Box box = {'x', 1, 3, {1, 2, 3}};
  LAUNCH(SIZE(1, 1, 1), SIZE(4, 1, 1), 0, NULL) apply(scale, 5, box, memory);
  download(values, memory, sizeof values);
  return RIGHT(values[0] == 18 && values[1] == 29 && values[2] == 40 && values[3] == 48);
}
