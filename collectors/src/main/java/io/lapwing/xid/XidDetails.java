package io.lapwing.xid;

import java.util.Optional;
import java.util.function.Supplier;

/** Which reader knows the messages of which XID. */
public final class XidDetails {

  private XidDetails() {}

  /**
   * What a message that was kept says beyond the number.
   *
   * @param driverVersion of the driver that wrote it; empty where unknown
   */
  public static XidDetail of(int number, String message, Optional<String> driverVersion) {
    return of(number, message, () -> driverVersion.flatMap(Nvlink5Layout::of));
  }

  /**
   * @param layout of the running driver; asked only for the XIDs that need it
   */
  static XidDetail of(int number, String message, Supplier<Optional<Nvlink5Layout>> layout) {
    return switch (number) {
      case 13 -> SmText.read(message);
      case 74 -> NvlinkText.read(message);
      case 94, 95 -> ContainmentText.read(message);
      case 144, 145, 146, 147, 148, 149, 150 -> Nvlink5Text.read(number, message, layout.get());
      case 154 -> RecoveryText.read(message);
      default -> XidDetail.NONE;
    };
  }
}
