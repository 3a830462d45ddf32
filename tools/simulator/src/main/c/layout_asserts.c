/* Fails the build if a struct differs from the published binary interface. */
#include "dcgm/dcgm_abi.h"
#include "nvml_abi.h"

#include <stddef.h>

#define MEMBER(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field);
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "sizeof " #type);
#define VERSION(type, word, expected) _Static_assert((word) == (expected), "version of " #type);
#include "structs.def"
#include "dcgm/dcgm_structs.def"

_Static_assert(sizeof(nvmlReturn_t) == 4, "return codes are 4 bytes");
_Static_assert(sizeof(nvmlValueType_t) == 4, "value types are 4 bytes");
_Static_assert(sizeof(nvmlValue_t) == 8, "field values are 8 bytes");
