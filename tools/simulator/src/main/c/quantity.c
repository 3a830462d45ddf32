#include "quantity.h"

#include <stddef.h>
#include <string.h>

struct row {
  const char *key;
  const char *preset;
};

static const struct row quantities[QUANTITIES] = {
#define INTEGRATED(symbol, key, preset) {key, preset},
#define PLAIN(symbol, key, preset) {key, preset},
#include "quantities.def"
#undef INTEGRATED
#undef PLAIN
};

static const struct row texts[TEXTS] = {
#define TEXT(symbol, key, preset) {key, preset},
#include "texts.def"
#undef TEXT
};

static int row_named(const struct row *rows, int count, const char *key) {
  for (int i = 0; i < count; i++) {
    if (strcmp(rows[i].key, key) == 0) {
      return i;
    }
  }
  return NOT_A_QUANTITY;
}

int quantity_named(const char *key) { return row_named(quantities, QUANTITIES, key); }

const char *quantity_key(int quantity) { return quantities[quantity].key; }

const char *quantity_preset(int quantity) { return quantities[quantity].preset; }

int text_named(const char *key) { return row_named(texts, TEXTS, key); }

const char *text_preset(int text) { return texts[text].preset; }
