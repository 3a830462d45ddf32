package io.lapwing.host;

import io.lapwing.host.HostMessage.Fault;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory errors and machine checks.
 *
 * <pre>
 * EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#2_DIMM#0 (channel:2 slot:0 page:0x849923 ...
 * EDAC MC0: 1 UE Multi-bit ECC on unknown label (node:0 card:0 module:3 rank:1 ...
 * mce: [Hardware Error]: CPU 2: Machine Check: 0 Bank 6: cc59dec000041152
 * mce: Uncorrected hardware memory error in user-access at 3f1a2b4c0
 * [Hardware Error]: Corrected error, no action required.
 * </pre>
 *
 * The second one is of firmware (ghes_edac); the last one is of AMD's decoder, which replaces the
 * third one. Sources: Linux, drivers/edac/edac_mc.c, drivers/firmware/efi/cper.c,
 * arch/x86/kernel/cpu/mce/core.c, drivers/edac/mce_amd.c.
 */
final class MemoryLines {

  private static final Pattern EDAC =
      Pattern.compile(
          "EDAC (MC\\d{1,3}): (\\d{1,9}) ([CU]E) [A-Za-z -]{0,80}?on ([A-Za-z0-9_#.:@/ -]{1,64}) \\(");
  private static final Pattern MACHINE_CHECK =
      Pattern.compile(
          "mce: \\[Hardware Error\\]: CPU (\\d{1,5}): Machine Check(?: Exception| Event)?:"
              + " [0-9a-f]{1,16} Bank (\\d{1,3}): ([0-9a-f]{16})");
  private static final String IN_USER_ACCESS =
      "mce: Uncorrected hardware memory error in user-access at ";
  private static final Pattern AMD =
      Pattern.compile(
          "\\[Hardware Error\\]: (?:(Corrected|Deferred) error, no action required"
              + "|Uncorrected, software (?:containable|restartable) error|System Fatal error)\\.");

  /** Bit UC of MCi_STATUS: Intel SDM volume 3, 17.3.2.2; AMD APM volume 2, 9.3.2.1. */
  private static final int UNCORRECTED_BIT = 61;

  private static final int HEX = 16;

  private MemoryLines() {}

  static Optional<HostMessage> read(String text) {
    Matcher edac = EDAC.matcher(text);
    if (edac.lookingAt()) {
      HostFaultKind kind =
          edac.group(3).equals("UE")
              ? HostFaultKind.MEMORY_UNCORRECTED
              : HostFaultKind.MEMORY_CORRECTED;
      String device = "mc" + edac.group(1).substring(2) + " " + edac.group(4).strip();
      return Optional.of(Fault.of(kind, device, Math.max(1, Long.parseLong(edac.group(2))), text));
    }
    Matcher check = MACHINE_CHECK.matcher(text);
    if (check.lookingAt()) {
      long status = Long.parseUnsignedLong(check.group(3), HEX);
      String device = "cpu" + check.group(1) + " bank" + check.group(2);
      return Optional.of(Fault.of(check(status >>> UNCORRECTED_BIT & 1), device, text));
    }
    if (text.startsWith(IN_USER_ACCESS)) {
      return Optional.of(Fault.of(HostFaultKind.MEMORY_UNCORRECTED, "", text));
    }
    Matcher amd = AMD.matcher(text);
    return amd.lookingAt()
        ? Optional.of(Fault.of(check(amd.group(1) == null ? 1 : 0), "", text))
        : Optional.empty();
  }

  private static HostFaultKind check(long uncorrected) {
    return uncorrected == 1
        ? HostFaultKind.MACHINE_CHECK_UNCORRECTED
        : HostFaultKind.MACHINE_CHECK_CORRECTED;
  }
}
