package io.lapwing.xid;

import io.lapwing.xid.KernelFact.GspErrorsSuppressed;
import io.lapwing.xid.KernelFact.InitFailed;
import io.lapwing.xid.KernelFact.NvlinkTrainingFailed;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Errors that the driver logs without an XID. A line in which a user's text may follow is read only
 * as far as the driver's text.
 */
final class DriverErrorLine {

  private static final String INIT = "RmInitAdapter failed!";
  private static final String MINOR = "rm_init_adapter failed";
  private static final String GSP = "NVRM: Rate limiting GSP RPC error prints for GPU at ";

  /**
   * From the open kernel modules, {@code kernel_nvlink.c}: the function's suffix names the chip
   * family; newer drivers put {@code GPU0 } in front.
   */
  private static final Pattern LINKS =
      Pattern.compile(
          "NVRM: (?:GPU\\d{1,3} )?(knvlink(?:"
              + "UpdatePostRxDetectLinkMask_\\w{1,32}: Failed to update Rx Detect Link mask!"
              + "|DiscoverPostRxDetLinks_\\w{1,32}: Getting peer\\d{1,3}(?:'s)? postRxDetLinkMask failed!))\\s*");

  private DriverErrorLine() {}

  /** {@code NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x62:0x40:2477)}. */
  static Optional<KernelFact> readInit(String text) {
    Cursor cursor = new Cursor(text);
    if (!cursor.skip("NVRM: GPU ")) {
      return Optional.empty();
    }
    Optional<PciAddress> pci = cursor.upTo(": ").flatMap(PciAddress::parse);
    String said = cursor.rest().strip();
    boolean repeated = said.startsWith(MINOR);
    return repeated || said.startsWith(INIT)
        ? pci.map(address -> new InitFailed(address, said, repeated))
        : Optional.empty();
  }

  /** {@code NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing ...}. */
  static Optional<KernelFact> readGsp(String text) {
    Cursor cursor = new Cursor(text);
    if (!cursor.skip(GSP)) {
      return Optional.empty();
    }
    return PciAddress.parse(cursor.word())
        .map(
            address ->
                new GspErrorsSuppressed(
                    address, text.substring("NVRM: ".length()).replace(".  ", ". ").strip()));
  }

  static Optional<KernelFact> readLinks(String text) {
    Matcher links = LINKS.matcher(text);
    return links.matches()
        ? Optional.of(new NvlinkTrainingFailed(links.group(1)))
        : Optional.empty();
  }
}
