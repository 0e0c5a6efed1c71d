// Stands for the real driver when a spoilt one is linked: its SONAME is the real one's path.
extern int nothing;
int nothing;
