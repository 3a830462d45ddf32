package io.lapwing.metric;

import java.util.Locale;

/** A constant that labels, logs and JSON show as its name in lower case: {@code reset_gpu}. */
public interface LabelWord {

  String name();

  default String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
