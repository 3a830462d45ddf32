package io.lapwing.xid;

import io.lapwing.xid.KernelFact.BoardSerial;
import io.lapwing.xid.KernelFact.DriverLoaded;
import io.lapwing.xid.KernelFact.GpuAt;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines with the address and UUID of each GPU and with the driver version. */
final class IdentityLine {

  private static final String LOADING = "NVRM: loading NVIDIA UNIX ";
  private static final Pattern UUID = Pattern.compile("GPU-[0-9a-fA-F-]{1,64}");
  private static final Pattern SERIAL = Pattern.compile("[0-9A-Za-z-]{1,64}");
  private static final Pattern VERSION =
      Pattern.compile(" (\\d{3,4}\\.\\d{1,4}(?:\\.\\d{1,4})?)(?!\\S)");

  private IdentityLine() {}

  /** {@code NVRM: GPU at PCI:0000:53:00: GPU-12345678-...}. */
  static Optional<KernelFact> readGpuAt(String text) {
    Cursor cursor = new Cursor(text);
    if (!cursor.skip("NVRM: GPU at ")) {
      return Optional.empty();
    }
    Optional<PciAddress> pci = cursor.upTo(": ").flatMap(PciAddress::parse);
    String uuid = cursor.rest().strip();
    return UUID.matcher(uuid).matches()
        ? pci.map(address -> new GpuAt(address, uuid))
        : Optional.empty();
  }

  /** {@code NVRM: GPU Board Serial Number: 1650124014249}. */
  static Optional<KernelFact> readSerial(String text) {
    Cursor cursor = new Cursor(text);
    if (!cursor.skip("NVRM: GPU Board Serial Number: ")) {
      return Optional.empty();
    }
    String serial = cursor.rest().strip();
    return SERIAL.matcher(serial).matches()
        ? Optional.of(new BoardSerial(serial))
        : Optional.empty();
  }

  /**
   * {@code NVRM: loading NVIDIA UNIX x86_64 Kernel Module 580.95.05 ...}, or {@code ... UNIX Open
   * Kernel Module for x86_64 580.95.05 ...}.
   */
  static Optional<KernelFact> readLoaded(String text) {
    if (!text.startsWith(LOADING)) {
      return Optional.empty();
    }
    Matcher version = VERSION.matcher(text);
    return version.find() ? Optional.of(new DriverLoaded(version.group(1))) : Optional.empty();
  }
}
