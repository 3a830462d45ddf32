package io.lapwing.xid;

import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The XIDs of {@code xid.csv}. Each row names its sources: NVIDIA's Xid catalogue, open kernel
 * modules and memory-error guide, the EKS node monitoring agent, and AWS's advice.
 */
public final class XidTable {

  private static final String TABLE = "xid.csv";

  /** The row for all numbers without one. */
  private static final String UNKNOWN = "unknown";

  private final NavigableMap<Integer, XidInfo> byNumber;
  private final XidInfo unknown;

  private XidTable(NavigableMap<Integer, XidInfo> byNumber, XidInfo unknown) {
    this.byNumber = Collections.unmodifiableNavigableMap(byNumber);
    this.unknown = unknown;
  }

  /** As shipped; read once. */
  public static XidTable load() {
    return Shipped.TABLE;
  }

  private static final class Shipped {
    static final XidTable TABLE = of(CsvTable.read(XidTable.class, XidTable.TABLE));
  }

  static XidTable of(List<Row> rows) {
    NavigableMap<Integer, XidInfo> known = new TreeMap<>();
    Optional<XidInfo> unknown = Optional.empty();
    for (Row row : rows) {
      if (row.text("number").equals(UNKNOWN)) {
        unknown = Optional.of(info(0, row));
      } else if (known.put(row.number("number"), info(row.number("number"), row)) != null) {
        throw new IllegalStateException(row.place() + ": this XID has a row already");
      }
    }
    return new XidTable(
        known,
        unknown.orElseThrow(() -> new IllegalStateException(TABLE + ": there is no row unknown")));
  }

  private static XidInfo info(int number, Row row) {
    try {
      return new XidInfo(
          number,
          row.text("name"),
          row.text("meaning"),
          XidInfo.Kind.valueOf(row.text("class").toUpperCase(Locale.ROOT)),
          words(row.text("generations")),
          row.text("nvidia_immediate"),
          row.text("nvidia_followup"),
          call("aws", row),
          call("nvidia", row),
          call(balanced(row), row),
          row.text("source"));
    } catch (IllegalArgumentException wrong) {
      throw new IllegalStateException(row.place() + ": " + wrong.getMessage(), wrong);
    }
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(" ", -1));
  }

  /** The profile that {@code balanced} follows. */
  private static String balanced(Row row) {
    String profile = row.text("balanced");
    if (!Set.of("", "aws", "nvidia").contains(profile)) {
      throw new IllegalArgumentException("'" + profile + "' is neither aws nor nvidia");
    }
    return profile.isEmpty() ? "nvidia" : profile;
  }

  private static XidInfo.XidCall call(String profile, Row row) {
    return new XidInfo.XidCall(
        row.text(profile + "_severity"),
        row.text(profile + "_action"),
        row.text(profile + "_urgency"));
  }

  public Collection<XidInfo> all() {
    return byNumber.values();
  }

  /** The XIDs that {@linkplain XidInfo#callsForAction call for action}, ascending. */
  public List<Long> callingForAction(String model) {
    return byNumber.values().stream()
        .filter(xid -> xid.callsForAction() && xid.possibleOn(model))
        .map(xid -> (long) xid.number())
        .toList();
  }

  /** The row of an XID; empty if it has none. */
  public Optional<XidInfo> find(int number) {
    return Optional.ofNullable(byNumber.get(number));
  }

  /** The row of an XID, or the row for unknown XIDs with this number. */
  public XidInfo get(int number) {
    return find(number).orElseGet(() -> unknown.numbered(number));
  }
}
