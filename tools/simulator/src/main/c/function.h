/* The calls of the library, as numbers: a state line that names one is resolved when it is read, not when it is called. */
#ifndef LAPWING_FUNCTION_H
#define LAPWING_FUNCTION_H

enum function {
#define FUNCTION(name) FUNCTION_##name,
#include "functions.def"
#undef FUNCTION
  FUNCTIONS
};

enum { NOT_A_FUNCTION = -1 };

int function_named(const char *name);

#endif
