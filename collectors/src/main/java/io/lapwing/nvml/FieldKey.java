package io.lapwing.nvml;

/** A field and its {@code scopeId} of {@code nvmlFieldValue_t}: a link number, else 0. */
public record FieldKey(NvmlField field, int scope) {

  /** {@code UINT_MAX} as {@code scopeId}: the sum over all links. */
  public static final int ALL_LINKS = -1;

  /** Looked up some thousand times a minute; the hash code of a record is slow uncompiled. */
  @Override
  public int hashCode() {
    return 31 * field.id() + scope;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldKey key && key.field == field && key.scope == scope;
  }

  /** The C name with id and scope, for messages. */
  public String question() {
    return "field " + field.id() + (scope == 0 ? "" : " scope " + Integer.toUnsignedString(scope));
  }
}
