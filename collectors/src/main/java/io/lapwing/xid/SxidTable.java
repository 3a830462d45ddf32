package io.lapwing.xid;

import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The SXids of {@code sxid.csv}, from NVIDIA's Fabric Manager User Guide. The driver prints some of
 * them as "Non-fatal" although they stop the traffic of a GPU.
 */
public final class SxidTable {

  private static final String TABLE = "sxid.csv";

  /** One row; {@code section} is that of the guide's appendix D. */
  public record Sxid(int number, String name, Effect effect, String section) {}

  public enum Effect {
    /** The switch corrected the error. */
    CORRECTED,
    IGNORED,
    /** Packets are retransmitted. */
    THROUGHPUT,
    /** A connection problem if it repeats on one link. */
    REPEATED,
    /** Traffic stops until all GPUs and switches are reset. */
    FABRIC,
    THERMAL_START,
    THERMAL_END,
    /** "Fatal" or "Non-fatal" in the message decides. */
    PRINTED
  }

  private final NavigableMap<Integer, Sxid> byNumber;

  private SxidTable(NavigableMap<Integer, Sxid> byNumber) {
    this.byNumber = Collections.unmodifiableNavigableMap(byNumber);
  }

  /** Reads the table; {@link IllegalStateException} with the line if it is malformed. */
  public static SxidTable load() {
    NavigableMap<Integer, Sxid> known = new TreeMap<>();
    for (Row row : CsvTable.read(SxidTable.class, TABLE)) {
      int number = row.number("number");
      if (known.put(number, sxid(number, row)) != null) {
        throw new IllegalStateException(row.place() + ": this SXid has a row already");
      }
    }
    return new SxidTable(known);
  }

  private static Sxid sxid(int number, Row row) {
    try {
      return new Sxid(
          number,
          row.text("name"),
          Effect.valueOf(row.text("effect").toUpperCase(Locale.ROOT)),
          row.text("section"));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalStateException(row.place() + ": " + wrong.getMessage(), wrong);
    }
  }

  public Collection<Sxid> all() {
    return byNumber.values();
  }

  public Optional<Sxid> find(int number) {
    return Optional.ofNullable(byNumber.get(number));
  }

  /** {@link Effect#PRINTED} for a number without a row. */
  public Effect effect(int number) {
    return find(number).map(Sxid::effect).orElse(Effect.PRINTED);
  }
}
