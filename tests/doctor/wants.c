// A program linked with the libraries that its command line in CMakeLists.txt names.
int main(void) { return 0; }
