package io.lapwing.dcgm;

/**
 * {@code dcgm_link_t}: a link of an NVSwitch, whose entity has the kind of its parent in 8 bits,
 * the port in 16 and the parent's id in 8, from the lowest on.
 *
 * @param nvswitch the id of the switch as an entity
 * @param port its number at the switch
 */
public record DcgmLink(int nvswitch, int port) {

  private static final int PORT_SHIFT = 8;
  private static final int SWITCH_SHIFT = 24;
  private static final int PORT_MASK = 0xffff;
  private static final int SWITCH_MASK = 0xff;

  DcgmEntity entity() {
    return new DcgmEntity(
        DcgmEntity.Kind.NVLINK,
        DcgmEntity.Kind.NVSWITCH.code() | port << PORT_SHIFT | nvswitch << SWITCH_SHIFT);
  }

  /** Parses the id of an {@link DcgmEngine#switchLinks entity}. */
  public static DcgmLink of(DcgmEntity link) {
    return new DcgmLink(
        link.id() >>> SWITCH_SHIFT & SWITCH_MASK, link.id() >>> PORT_SHIFT & PORT_MASK);
  }
}
