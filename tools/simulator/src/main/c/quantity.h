/* Quantities and texts of a GPU; the rows are in quantities.def and texts.def. */
#ifndef LAPWING_QUANTITY_H
#define LAPWING_QUANTITY_H

enum quantity {
#define INTEGRATED(symbol, key, preset) Q_##symbol,
#define PLAIN(symbol, key, preset) Q_##symbol,
#include "quantities.def"
#undef INTEGRATED
#undef PLAIN
  QUANTITIES
};

/* The integrated quantities are the first rows, so their count ends the range. */
enum {
#define INTEGRATED(symbol, key, preset) +1
#define PLAIN(symbol, key, preset)
  INTEGRATED_QUANTITIES = 0
#include "quantities.def"
#undef INTEGRATED
#undef PLAIN
};

enum text {
#define TEXT(symbol, key, preset) T_##symbol,
#include "texts.def"
#undef TEXT
  TEXTS
};

enum { TEXT_SIZE = 96, NOT_A_QUANTITY = -1 };

/* Finds a quantity by its key in the state file, or NOT_A_QUANTITY. */
int quantity_named(const char *key);
const char *quantity_key(int quantity);
const char *quantity_preset(int quantity);

int text_named(const char *key);
const char *text_preset(int text);

#endif
