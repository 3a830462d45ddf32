package io.lapwing.dcgm;

/** {@code dcgmGroupEntityPair_t}: an entity with fields. */
public record DcgmEntity(Kind kind, int id) {

  /** The node as a whole. */
  public static final DcgmEntity NODE = new DcgmEntity(Kind.NODE, 0);

  /** {@code dcgm_field_entity_group_t}. */
  public enum Kind {
    /** {@code DCGM_FE_NONE}: no part of the node, such as the service of IMEX domains. */
    NODE(0),
    GPU(1),
    NVSWITCH(3),
    /** A MIG instance. */
    GPU_INSTANCE(4),
    /** {@code DCGM_FE_LINK}; {@link DcgmLink} parses its id. */
    NVLINK(6),
    /** A socket of NVIDIA's own CPU, Grace; an engine has none of other vendors. */
    CPU(7);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int code() {
      return code;
    }
  }
}
