#include "function.h"

#include <string.h>

static const char *const names[FUNCTIONS] = {
#define FUNCTION(name) #name,
#include "functions.def"
#undef FUNCTION
};

int function_named(const char *name) {
  for (int i = 0; i < FUNCTIONS; i++) {
    if (strcmp(names[i], name) == 0) {
      return i;
    }
  }
  return NOT_A_FUNCTION;
}
