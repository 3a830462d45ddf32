/* A well-formed shared library that is not NVML: what a wrong path finds. */
__attribute__((visibility("default"))) int lapwing_empty(void) { return 1; }
