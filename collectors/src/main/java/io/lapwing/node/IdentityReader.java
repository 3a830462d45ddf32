package io.lapwing.node;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reads each {@link ImdsItem} until it has a value: none changes while the instance runs. */
final class IdentityReader {

  /** Before an item that is missing or malformed is read again; it mostly stays so. */
  private static final Duration RETRY_INTERVAL = Duration.ofHours(6);

  private final Identification identification;
  private final LongSupplier nanoTime;
  private final Map<ImdsItem, String> known = new EnumMap<>(ImdsItem.class);
  private final Map<ImdsItem, Long> unusableSince = new EnumMap<>(ImdsItem.class);

  /**
   * Nothing is read yet.
   *
   * @param identification receives the values
   */
  IdentityReader(Identification identification, LongSupplier nanoTime) {
    this.identification = identification;
    this.nanoTime = nanoTime;
  }

  Optional<String> known(ImdsItem item) {
    return Optional.ofNullable(known.get(item));
  }

  /** Reads open items, up to the first without a response. */
  void read(Imds imds, SampleSink sink) {
    int before = known.size();
    for (ImdsItem item : ImdsItem.values()) {
      if (isOpen(item) && !read(item, imds, sink)) {
        break;
      }
    }
    if (known.size() > before) {
      identification.update(known);
    }
  }

  private boolean isOpen(ImdsItem item) {
    Long since = unusableSince.get(item);
    return !known.containsKey(item)
        && (since == null || nanoTime.getAsLong() - since > RETRY_INTERVAL.toNanos());
  }

  private boolean read(ImdsItem item, Imds imds, SampleSink sink) {
    Reading<String> text = imds.get(item.path());
    if (text instanceof Reading.Present<String> present && ImdsItem.isName(present.value())) {
      known.put(item, present.value());
    } else if (text instanceof Reading.Present) {
      sink.failed(item.path(), "malformed");
      unusableSince.put(item, nanoTime.getAsLong());
    } else if (text instanceof Reading.Missing) {
      unusableSince.put(item, nanoTime.getAsLong());
    }
    return Imds.answered(text, sink);
  }
}
