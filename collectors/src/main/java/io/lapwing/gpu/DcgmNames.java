package io.lapwing.gpu;

import io.lapwing.metric.Metric;
import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The families that dcgm-exporter 4.9 renames: {@code dcgm-names.csv}. */
public final class DcgmNames {

  public static final DcgmNames SHIPPED = load();

  private final List<Rename> all;
  private final Map<String, Rename> byClassic;
  private final Map<String, Rename> byName;

  private DcgmNames(List<Rename> all) {
    this.all = all;
    this.byClassic = by(Rename::classic);
    this.byName = by(Rename::name);
  }

  private Map<String, Rename> by(Function<Rename, String> key) {
    return all.stream().collect(Collectors.toUnmodifiableMap(key, rename -> rename));
  }

  private static DcgmNames load() {
    return new DcgmNames(
        CsvTable.read(DcgmNames.class, "dcgm-names.csv").stream().map(DcgmNames::rename).toList());
  }

  private static Rename rename(Row row) {
    return new Rename(
        row.text("classic"),
        row.text("name"),
        Optional.of(row.text("scale")).filter(text -> !text.isEmpty()).map(Scale::parse),
        row.text("help"),
        Source.valueOf(row.text("source").toUpperCase(Locale.ROOT)));
  }

  public List<Rename> all() {
    return all;
  }

  public Optional<Rename> ofClassic(String name) {
    return Optional.ofNullable(byClassic.get(name));
  }

  /** By the name since 4.9. */
  public Optional<Rename> ofNew(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Where a new name was read. */
  public enum Source {
    /** DCGM's header, or NVIDIA's binding for Go. */
    HEADER,
    /** The release notes of dcgm-exporter 4.9.0. */
    NOTES,
    /** A third party's reading of NVIDIA's documentation. */
    REPORT;

    public boolean confirmed() {
      return this != REPORT;
    }
  }

  /**
   * One family.
   *
   * @param scale makes the new value of the classic one; empty if the unit is the same
   * @param help of the new unit; empty if the unit is the same, or the value is read in it
   */
  public record Rename(
      String classic, String name, Optional<Scale> scale, String help, Source source) {

    /** Whether the agent reads the value in the new unit, which is exact. */
    public boolean isRead() {
      return scale.isPresent() && help.isEmpty();
    }

    /** The classic family under its new name. */
    public Metric metric(Metric family) {
      return family.named(name, help.isEmpty() ? family.help() : help);
    }

    /** The new value; whole, as in 4.9, if it is not a ratio. */
    public double value(double value) {
      if (scale.isEmpty()) {
        return value;
      }
      double scaled = scale.get().of(value);
      return name.endsWith("_RATIO") ? scaled : Math.rint(scaled);
    }
  }

  /** A multiplication or a division, as in PromQL: {@code * 1048576}. */
  public record Scale(boolean divides, long by) {

    static Scale parse(String text) {
      return new Scale(text.startsWith("/ "), Long.parseLong(text.substring(2)));
    }

    double of(double value) {
      return divides ? value / by : value * by;
    }

    public Scale inverse() {
      return new Scale(!divides, by);
    }

    public String operator() {
      return divides ? "/" : "*";
    }

    @Override
    public String toString() {
      return operator() + " " + by;
    }
  }
}
