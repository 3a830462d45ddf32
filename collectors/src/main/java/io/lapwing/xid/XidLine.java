package io.lapwing.xid;

import io.lapwing.xid.KernelFact.Xid;
import io.lapwing.xid.Nvlink5Table.Layout;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * {@code NVRM: Xid (ATTRIBUTION): N[, pid=P[, name=NAME]], MESSAGE[ caused by previous Xid M]}.
 * What precedes the name is parsed first, from left to right, since a user can forge the rest
 * through the process name.
 */
final class XidLine {

  private static final String START = "NVRM: Xid (";
  private static final String CAUSE = " caused by previous Xid ";
  private static final int NUMBER_DIGITS = 5;
  private static final int PID_DIGITS = 10;
  private static final long LARGEST_PID = 0xFFFF_FFFFL;

  private XidLine() {}

  static Optional<KernelFact> read(String text, Supplier<Optional<Layout>> layout) {
    Cursor cursor = new Cursor(text);
    if (!cursor.skip(START)) {
      return Optional.empty();
    }
    Optional<Attribution> attribution = cursor.upTo("): ").flatMap(Attribution::parse);
    OptionalLong number = cursor.number(NUMBER_DIGITS);
    return attribution.isPresent() && number.orElse(0) > 0 && endsNumber(cursor)
        ? Optional.of(xid(attribution.get(), (int) number.getAsLong(), cursor, layout))
        : Optional.empty();
  }

  /** Skips the separator between the number and the rest. */
  private static boolean endsNumber(Cursor cursor) {
    return cursor.skip(", ")
        || cursor.skip(",")
        || cursor.skip("\n")
        || cursor.skip(" \n")
        || cursor.rest().isBlank();
  }

  private static Xid xid(
      Attribution attribution, int number, Cursor cursor, Supplier<Optional<Layout>> layout) {
    OptionalLong pid = OptionalLong.empty();
    boolean named = false;
    int start = cursor.mark();
    if (cursor.skip("pid=")) {
      pid = pid(cursor);
      named = cursor.skip(", name=");
      if (!named && !cursor.skip(", ") && !cursor.atEnd()) {
        pid = OptionalLong.empty();
        cursor.backTo(start);
      }
    }
    String rest = cursor.rest();
    OptionalInt cause = cause(rest);
    String body = cause.isPresent() ? rest.substring(0, rest.lastIndexOf(CAUSE)) : rest;
    ProcessText process = named ? ProcessText.split(body) : new ProcessText(Optional.empty(), body);
    String message = process.message().strip();
    return new Xid(
        attribution.pci(),
        attribution.gpuInstance(),
        attribution.computeInstance(),
        number,
        pid,
        process.name(),
        message,
        cause,
        XidDetails.of(number, message, layout));
  }

  private static OptionalLong pid(Cursor cursor) {
    if (cursor.skip("'<unknown>'") || cursor.skip("<unknown>")) {
      return OptionalLong.empty();
    }
    OptionalLong pid = cursor.number(PID_DIGITS);
    return pid.orElse(0) <= LARGEST_PID ? pid : OptionalLong.empty();
  }

  /** The number after {@code caused by previous Xid} at the end of the line. */
  private static OptionalInt cause(String rest) {
    int at = rest.lastIndexOf(CAUSE);
    if (at < 0) {
      return OptionalInt.empty();
    }
    Cursor cursor = new Cursor(rest.substring(at + CAUSE.length()).stripTrailing());
    OptionalLong number = cursor.number(NUMBER_DIGITS);
    return cursor.atEnd() && number.orElse(0) > 0
        ? OptionalInt.of((int) number.getAsLong())
        : OptionalInt.empty();
  }

  /**
   * The GPU of an XID: {@code PCI:0000:53:00}, {@code PCI:0000:53:00 GPU-I:05}, {@code
   * PCI:0000:53:00 GPU-I:05 GPU-CI:00}. Older drivers omit {@code PCI:} or append a function to the
   * device.
   */
  private record Attribution(PciAddress pci, OptionalInt gpuInstance, OptionalInt computeInstance) {

    private static final int INSTANCE_DIGITS = 5;

    static Optional<Attribution> parse(String text) {
      Cursor cursor = new Cursor(text);
      return PciAddress.parse(cursor.word()).flatMap(pci -> instances(pci, cursor));
    }

    private static Optional<Attribution> instances(PciAddress pci, Cursor cursor) {
      OptionalInt gpuInstance = instance(cursor, " GPU-I:");
      OptionalInt computeInstance =
          gpuInstance.isPresent() ? instance(cursor, " GPU-CI:") : OptionalInt.empty();
      return cursor.atEnd()
          ? Optional.of(new Attribution(pci, gpuInstance, computeInstance))
          : Optional.empty();
    }

    private static OptionalInt instance(Cursor cursor, String label) {
      int start = cursor.mark();
      OptionalLong id = cursor.skip(label) ? cursor.number(INSTANCE_DIGITS) : OptionalLong.empty();
      if (id.isEmpty()) {
        cursor.backTo(start);
        return OptionalInt.empty();
      }
      return OptionalInt.of((int) id.getAsLong());
    }
  }

  /**
   * The name and the message of {@code name=NAME, MESSAGE}. The process chooses the name, which may
   * contain the separator, but has at most 15 bytes (the kernel's {@code comm}). Of the separators
   * within that length, the last one followed by a known start of a driver message wins, so that a
   * name cannot pose as a message; without a known start the first one wins. Address, number and
   * pid precede the name.
   */
  record ProcessText(Optional<String> name, String message) {

    static final int MAX_NAME = 15;
    static final String SEPARATOR = ", ";
    private static final String UNKNOWN = "<unknown>";

    /** Known starts of messages, from the open kernel modules 595.45.04 and from logs. */
    private static final List<String> STARTS =
        List.of(
            "Ch ",
            "Channel ",
            "Timeout after ",
            "Graphics ",
            "MMU Fault",
            "Contained: ",
            "Uncontained: ",
            "Row Remapper: ",
            "Dynamic Page Retirement",
            "GPU has fallen off the bus",
            "GPU recovery action changed",
            "NVLink",
            "SAW_",
            "RLW_",
            "TLW_",
            "TREX",
            "NVLPW",
            "NETIR",
            "MSE",
            "An uncorrectable ",
            "DBE ",
            "DRAM",
            "GSP",
            "SEC_",
            "Head ");

    static ProcessText split(String text) {
      int end = end(text);
      return end < 0
          ? new ProcessText(known(text.stripTrailing()), "")
          : new ProcessText(
              known(text.substring(0, end)), text.substring(Math.min(end + 2, text.length())));
    }

    /** The index of the separator after the name; negative if none. */
    private static int end(String text) {
      int first = separator(text, 0);
      int best = first;
      for (int i = first; i >= 0 && i <= MAX_NAME; i = separator(text, i + 1)) {
        if (startsMessage(text, i + 2)) {
          best = i;
        }
      }
      return best;
    }

    private static int separator(String text, int from) {
      int comma = text.indexOf(SEPARATOR, from);
      return comma < 0 && text.length() > from && text.endsWith(",") ? text.length() - 1 : comma;
    }

    static boolean startsMessage(String text, int at) {
      for (String start : STARTS) {
        if (text.startsWith(start, at)) {
          return true;
        }
      }
      return false;
    }

    private static Optional<String> known(String name) {
      return name.isEmpty() || name.equals(UNKNOWN) ? Optional.empty() : Optional.of(name);
    }
  }
}
