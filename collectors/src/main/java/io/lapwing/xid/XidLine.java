package io.lapwing.xid;

import io.lapwing.xid.KernelFact.Xid;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * {@code NVRM: Xid (ATTRIBUTION): N[, pid=P[, name=NAME]], MESSAGE[ caused by previous Xid M]}.
 *
 * <p>All before the name is read from left to right and never looked at again; only then comes what
 * a user can write.
 */
final class XidLine {

  private static final String START = "NVRM: Xid (";
  private static final String CAUSE = " caused by previous Xid ";
  private static final int NUMBER_DIGITS = 5;
  private static final int PID_DIGITS = 10;
  private static final long LARGEST_PID = 0xFFFF_FFFFL;

  private XidLine() {}

  static Optional<KernelFact> read(String text, Supplier<Optional<Nvlink5Layout>> layout) {
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

  /** Moves behind what separates the number from the rest. */
  private static boolean endsNumber(Cursor cursor) {
    return cursor.skip(", ")
        || cursor.skip(",")
        || cursor.skip("\n")
        || cursor.skip(" \n")
        || cursor.rest().isBlank();
  }

  private static Xid xid(
      Attribution attribution,
      int number,
      Cursor cursor,
      Supplier<Optional<Nvlink5Layout>> layout) {
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

  /** The number behind {@code caused by previous Xid}, which ends the line. */
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
}
