package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A field and its {@code scopeId} of {@code nvmlFieldValue_t}: a link number, else 0. */
public record FieldKey(NvmlField field, int scope) {

  /** {@code UINT_MAX} as {@code scopeId}: the sum over all links. */
  public static final int ALL_LINKS = -1;

  /** A GPU lacks hundreds of fields, and all GPUs of a node the same ones. */
  private static final Map<FieldKey, Reading<Double>> UNSUPPORTED = new ConcurrentHashMap<>();

  /** Looked up some thousand times a minute; the hash code of a record is slow uncompiled. */
  @Override
  public int hashCode() {
    return 31 * field.id() + scope;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldKey key && key.field == field && key.scope == scope;
  }

  /** The same object for all devices. */
  Reading<Double> unsupported() {
    Reading<Double> known = UNSUPPORTED.get(this);
    return known != null
        ? known
        : UNSUPPORTED.computeIfAbsent(this, key -> new Reading.Unsupported<>(key.question()));
  }

  /** The C name with id and scope, for messages. */
  public String question() {
    return "field " + field.id() + (scope == 0 ? "" : " scope " + Integer.toUnsignedString(scope));
  }
}
