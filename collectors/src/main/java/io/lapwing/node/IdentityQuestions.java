package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Asks what the instance is, until each question is answered: nothing of it changes while it runs.
 */
final class IdentityQuestions {

  /** When to ask again for what is missing or nonsense, which it mostly stays. */
  private static final Duration AGAIN = Duration.ofHours(6);

  private final Identification identification;
  private final LongSupplier nanoTime;
  private final Map<ImdsItem, String> known = new EnumMap<>(ImdsItem.class);
  private final Map<ImdsItem, Long> uselessSince = new EnumMap<>(ImdsItem.class);

  /**
   * Nothing is asked yet.
   *
   * @param identification is told what is learned
   */
  IdentityQuestions(Identification identification, LongSupplier nanoTime) {
    this.identification = identification;
    this.nanoTime = nanoTime;
  }

  Optional<String> known(ImdsItem item) {
    return Optional.ofNullable(known.get(item));
  }

  /** Asks what is open, up to the first question without an answer. */
  void ask(Imds imds, SampleSink sink) {
    int before = known.size();
    for (ImdsItem item : ImdsItem.values()) {
      if (isOpen(item) && !ask(item, imds, sink)) {
        break;
      }
    }
    if (known.size() > before) {
      identification.hear(known);
    }
  }

  private boolean isOpen(ImdsItem item) {
    Long since = uselessSince.get(item);
    return !known.containsKey(item)
        && (since == null || nanoTime.getAsLong() - since > AGAIN.toNanos());
  }

  private boolean ask(ImdsItem item, Imds imds, SampleSink sink) {
    Reading<String> text = imds.get(item.path());
    if (text instanceof Reading.Present<String> present && ImdsItem.isName(present.value())) {
      known.put(item, present.value());
    } else if (text instanceof Reading.Present) {
      sink.failed(item.path(), "malformed");
      uselessSince.put(item, nanoTime.getAsLong());
    } else if (text instanceof Reading.Missing) {
      uselessSince.put(item, nanoTime.getAsLong());
    }
    return Imds.answered(text, sink);
  }
}
