// A program that is linked with what its command line in CMakeLists.txt says.
int main(void) { return 0; }
