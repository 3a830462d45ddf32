package io.lapwing.xid;

import io.lapwing.xid.KernelFact.SXid;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * {@code nvidia-nvswitch3: SXid (PCI:0000:05:00.0): 12028, Non-fatal, Link 32 egress non-posted
 * PRIV error (First)}. Follow-up records with the same number are ignored: {@code Severity 1 Engine
 * instance 00 ...}, {@code Data {0x50610002, ...}}, {@code SOE HALT data[0] = ...}.
 */
final class SXidLine {

  private static final String START = "nvidia-";
  private static final int MAX_DEVICE_LENGTH = 32;
  private static final int NUMBER_DIGITS = 5;
  private static final int LINK_DIGITS = 3;

  private SXidLine() {}

  static Optional<KernelFact> read(String text) {
    Cursor cursor = new Cursor(text);
    if (!cursor.skip(START)) {
      return Optional.empty();
    }
    Optional<String> device = cursor.upTo(": SXid (").filter(SXidLine::isDevice);
    Optional<PciAddress> pci =
        device.isEmpty() ? Optional.empty() : cursor.upTo("): ").flatMap(PciAddress::parse);
    OptionalLong number = cursor.number(NUMBER_DIGITS);
    return pci.isPresent() && number.orElse(0) > 0 && cursor.skip(", ") && !follows(cursor.rest())
        ? Optional.of(sxid(START + device.get(), pci.get(), (int) number.getAsLong(), cursor))
        : Optional.empty();
  }

  private static boolean follows(String message) {
    return message.startsWith("Severity ")
        || message.startsWith("Data {")
        || message.startsWith("SOE HALT data[");
  }

  private static boolean isDevice(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_DEVICE_LENGTH
        && name.chars().allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || c == '-'));
  }

  private static SXid sxid(String device, PciAddress pci, int number, Cursor cursor) {
    Optional<Boolean> fatal = fatal(cursor);
    OptionalInt link = fatal.isPresent() ? link(cursor) : OptionalInt.empty();
    return new SXid(device, pci, number, fatal, link, cursor.rest().strip());
  }

  private static Optional<Boolean> fatal(Cursor cursor) {
    if (cursor.skip("Fatal, ")) {
      return Optional.of(true);
    }
    return cursor.skip("Non-fatal, ") || cursor.skip("Correctable, ")
        ? Optional.of(false)
        : Optional.empty();
  }

  private static OptionalInt link(Cursor cursor) {
    int start = cursor.mark();
    OptionalLong link = cursor.skip("Link ") ? cursor.number(LINK_DIGITS) : OptionalLong.empty();
    if (link.isPresent() && (cursor.skip(" ") || cursor.atEnd())) {
      return OptionalInt.of((int) link.getAsLong());
    }
    cursor.backTo(start);
    return OptionalInt.empty();
  }
}
