#include "conditions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_factors(struct conditions *conditions, const char *list) {
  char *rest = NULL;
  for (int rank = 0; rank < MOST_RANKS && *list != '\0'; rank++) {
    conditions->slower[rank] = strtod(list, &rest);
    if (rest == list) {
      return;
    }
    list = *rest == ',' ? rest + 1 : rest;
  }
}

static void read_word(struct conditions *conditions, const char *key, const char *value) {
  double number = strtod(value, NULL);
  if (strcmp(key, "data") == 0) {
    conditions->data = number;
  } else if (strcmp(key, "compute") == 0) {
    conditions->compute = number;
  } else if (strcmp(key, "communication") == 0) {
    conditions->communication = number;
  } else if (strcmp(key, "checkpoint") == 0) {
    conditions->checkpoint = number;
  } else if (strcmp(key, "durable") == 0) {
    conditions->durable = number;
  } else if (strcmp(key, "uneven") == 0) {
    conditions->uneven = number;
  } else if (strcmp(key, "every") == 0) {
    conditions->every = (unsigned long)number;
  } else if (strcmp(key, "tokens") == 0) {
    conditions->tokens = (unsigned long)number;
  } else if (strcmp(key, "stopped") == 0) {
    conditions->stopped = number == 1;
  } else if (strcmp(key, "slower") == 0) {
    read_factors(conditions, value);
  }
}

void conditions_read(struct conditions *conditions, char *line) {
  char *rest = NULL;
  for (char *word = strtok_r(line, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
    char *equals = strchr(word, '=');
    if (equals != NULL) {
      *equals = '\0';
      read_word(conditions, word, equals + 1);
    }
  }
  conditions->known = true;
}

void conditions_of_step(const struct conditions *conditions, unsigned long number, int rank, int ranks, char *text,
                        size_t size) {
  bool saves = conditions->every > 0 && number > 1 && (number - 1) % conditions->every == 0;
  double longer = number % (unsigned long)ranks == (unsigned long)rank ? 1 + conditions->uneven : 1;
  snprintf(text, size, "%lu %lu %.6f %.6f %.6f %.6f %.6f", number, conditions->tokens,
           saves ? conditions->checkpoint : 0, conditions->data, conditions->compute * conditions->slower[rank] * longer,
           conditions->communication, conditions->durable);
}
