// A libmusart of an older SDK, as far as the test of version skew needs one.
int musaGetDeviceCount(int* count);
int musaGetDeviceCount(int* count) {
  *count = 4;
  return 0;
}
