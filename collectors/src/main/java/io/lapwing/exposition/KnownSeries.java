package io.lapwing.exposition;

import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A cache from series to derived values, keyed by bytes without creating strings; another order of
 * labels is another series. Not thread-safe.
 */
public final class KnownSeries<T> {

  private static final int FIRST_SLOTS = 64;

  /** A longer series is not kept. */
  private static final int MAX_SERIES_BYTES = 1 << 10;

  /** Of an entry beside its bytes: objects and its place in the table. */
  private static final int ENTRY_BYTES = 64;

  private final int maxBytes;
  private @Nullable Known<T>[] slots = slots(FIRST_SLOTS);
  private int size;
  private int bytes;

  private static final class Known<T> {

    private final byte[] series;
    private final int hash;
    private final T value;

    Known(byte[] series, int hash, T value) {
      this.series = series;
      this.hash = hash;
      this.value = value;
    }
  }

  /** An empty cache, cleared when its entries exceed {@code maxBytes}. */
  public KnownSeries(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** The cached value of a sample's series, or the computed one. */
  public T of(ExposedSample sample, Function<ExposedSample, T> unseen) {
    int hash = sample.seriesHash();
    for (int slot = hash; ; slot++) {
      Known<T> known = slots[slot & (slots.length - 1)];
      if (known == null) {
        return add(new Known<>(sample.seriesBytes(), hash, unseen.apply(sample)));
      }
      if (known.hash == hash && sample.isSeries(known.series)) {
        return known.value;
      }
    }
  }

  public void clear() {
    slots = slots(FIRST_SLOTS);
    size = 0;
    bytes = 0;
  }

  private T add(Known<T> known) {
    if (known.series.length > MAX_SERIES_BYTES) {
      return known.value;
    }
    if (bytes + known.series.length + ENTRY_BYTES > maxBytes) {
      clear();
    }
    bytes += known.series.length + ENTRY_BYTES;
    size++;
    if (size * 2 > slots.length) {
      @Nullable Known<T>[] before = slots;
      slots = slots(before.length * 2);
      Arrays.stream(before).filter(held -> held != null).forEach(this::keep);
    }
    keep(known);
    return known.value;
  }

  private void keep(Known<T> known) {
    int slot = known.hash;
    while (slots[slot & (slots.length - 1)] != null) {
      slot++;
    }
    slots[slot & (slots.length - 1)] = known;
  }

  /** Java cannot create arrays of a generic type otherwise. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> @Nullable Known<T>[] slots(int count) {
    return new Known[count];
  }
}
