package io.lapwing.dcgm;

/** {@code dcgmGroupEntityPair_t}: what has fields. */
public record DcgmEntity(Kind kind, int id) {

  /** {@code dcgm_field_entity_group_t}. */
  public enum Kind {
    GPU(1),
    NVSWITCH(3),
    /** A MIG instance. */
    GPU_INSTANCE(4);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }
}
