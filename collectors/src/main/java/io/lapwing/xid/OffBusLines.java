package io.lapwing.xid;

import io.lapwing.xid.KernelFact.OffBus;
import java.util.Optional;

/**
 * A GPU off the bus without the word Xid: {@code NVRM: GPU 0000:29:00.0: GPU has fallen off the
 * bus.}, of old drivers {@code NVRM: GPU at 0000:02:00.0 has fallen off the bus.}, or a sentence on
 * three lines, logged as one message or as three:
 *
 * <pre>
 * NVRM: The NVIDIA GPU 0000:18:00.0
 * NVRM: (PCI ID: 10de:2901) installed in this system has
 * NVRM: fallen off the bus and is not responding to commands.
 * </pre>
 *
 * <p>{@code NVRM: GPU 0000:29:00.0: GPU serial number is 1653723052734.}, which may follow the
 * first form, is ignored: earlier lines map addresses to serial numbers.
 */
final class OffBusLines {

  /** The maximum number of unrelated messages within a sentence. */
  private static final int MAX_BETWEEN = 8;

  private static final String PREFIX = "NVRM: ";
  private static final String SENTENCE = "NVRM: The NVIDIA GPU ";
  private static final String END = "fallen off the bus";

  private Optional<PciAddress> named = Optional.empty();
  private String said = "";
  private int patience;

  static Optional<KernelFact> readLine(String text) {
    Cursor cursor = new Cursor(text);
    if (cursor.skip("NVRM: GPU at ")) {
      return cursor
          .upTo(" has " + END)
          .flatMap(PciAddress::parse)
          .map(address -> new OffBus(address, "GPU has " + END + "."));
    }
    if (!cursor.skip("NVRM: GPU ")) {
      return Optional.empty();
    }
    Optional<PciAddress> pci = cursor.upTo(": ").flatMap(PciAddress::parse);
    String said = cursor.rest();
    return said.startsWith("GPU has fallen off the bus")
        ? pci.map(address -> new OffBus(address, said.strip()))
        : Optional.empty();
  }

  /** The sentence; must be called with every message, since some end it. */
  Optional<KernelFact> read(String text) {
    if (text.startsWith(SENTENCE)) {
      begin(text);
    } else if (named.isEmpty()) {
      return Optional.empty();
    } else if (continues(text)) {
      said += " " + plain(text);
    } else if (--patience == 0) {
      named = Optional.empty();
    }
    return said.contains(END) ? end() : Optional.empty();
  }

  private void begin(String text) {
    Cursor cursor = new Cursor(text);
    cursor.skip(SENTENCE);
    named = PciAddress.parse(cursor.word());
    said = named.isPresent() ? plain(text) : "";
    patience = MAX_BETWEEN;
  }

  private static boolean continues(String text) {
    return text.startsWith("NVRM: (PCI ID: ")
        || text.startsWith("NVRM: installed in this system ")
        || text.startsWith(PREFIX + END);
  }

  private Optional<KernelFact> end() {
    String whole = said;
    Optional<PciAddress> pci = named;
    named = Optional.empty();
    said = "";
    return pci.map(address -> new OffBus(address, whole));
  }

  private static String plain(String text) {
    return text.substring(PREFIX.length()).replace("\n" + PREFIX, " ").strip();
  }
}
