/* nvml-layout: prints one fact a line, for tests that hold another language's constants against these. */
#include "dcgm/dcgm_abi.h"
#include "nvml_abi.h"

#include <stddef.h>
#include <stdio.h>

#define MEMBER(type, field, offset) printf("%s.%s %zu\n", #type, #field, offsetof(type, field));
#define SIZE(type, bytes) printf("%s size %zu\n", #type, sizeof(type));
#define VERSION(type, word, expected) printf("%s version 0x%08x\n", #type, (unsigned int)(word));

int main(void) {
#include "structs.def"
#include "dcgm/dcgm_structs.def"
  return 0;
}
