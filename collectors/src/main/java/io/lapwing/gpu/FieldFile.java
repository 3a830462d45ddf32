package io.lapwing.gpu;

import io.lapwing.gpu.DcgmFields.DcgmField;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.metric.MetricType;
import io.lapwing.table.CsvTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A list of fields of dcgm-exporter. In CSV each line is {@code field, type, help}; {@code #}
 * starts a comment. The selected families have the type and the help of their lines; {@code
 * unavailable} has one line of text for each field that Lapwing does not expose or does not know;
 * {@code contradictions} one for each line that gives a family another type or help than a line
 * before: the last line counts, as in dcgm-exporter. {@code names} are all names, as they are
 * written. A file in which no name is one of DCGM's is malformed.
 */
public record FieldFile(
    GpuView.FieldSelection selection,
    List<LabelField> labels,
    List<String> unavailable,
    List<String> contradictions,
    List<String> names) {

  private static final int COLUMNS = 3;

  /** Of UTF-8, as editors of Windows write it. */
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  /** A field as one line has it. */
  public record Row(int line, String name, String type, String help) {}

  public static final class Malformed extends Exception {

    private static final long serialVersionUID = 1;

    private final List<String> problems;

    Malformed(List<String> problems) {
      super(String.join("\n", problems));
      this.problems = List.copyOf(problems);
    }

    /** One for each bad line, with the name of the file and the number of the line. */
    public List<String> problems() {
      return problems;
    }
  }

  /** Reads the lines of a file, whose name is for messages. */
  public static FieldFile parse(String file, List<String> lines) throws Malformed {
    Parser parser = new Parser(file, DcgmFields.load());
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      boolean marked = i == 0 && line.startsWith(BYTE_ORDER_MARK);
      parser.line(i + 1, (marked ? line.substring(1) : line).strip());
    }
    return parser.finish();
  }

  /** The fields of a file in another format. */
  public static FieldFile of(String file, List<Row> rows) throws Malformed {
    Parser parser = new Parser(file, DcgmFields.load());
    rows.forEach(row -> parser.row(row.line(), row.name(), row.type(), row.help()));
    return parser.finish();
  }

  private static final class Parser {

    private static final Map<String, Metric> METRICS =
        MetricCatalogue.of(DcgmMetrics.class).metrics().stream()
            .collect(Collectors.toMap(Metric::name, metric -> metric));

    private final String file;
    private final DcgmFields fields;
    private final Map<String, Metric> wanted = new LinkedHashMap<>();
    private final List<LabelField> labels = new ArrayList<>();
    private final List<String> unavailable = new ArrayList<>();
    private final Map<String, Integer> lines = new HashMap<>();
    private final List<String> contradictions = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private int foreign;

    Parser(String file, DcgmFields fields) {
      this.file = file;
      this.fields = fields;
    }

    void line(int number, String line) {
      if (line.isEmpty() || line.startsWith("#")) {
        return;
      }
      try {
        List<String> values = CsvTable.split(line);
        if (values.size() == COLUMNS) {
          row(number, values.get(0), values.get(1), values.get(2));
        } else {
          problem(
              number,
              "expected field, type and help, separated by commas; found "
                  + values.size()
                  + " values (a help with a comma goes in double quotes)");
        }
      } catch (IllegalArgumentException unclosed) {
        problem(number, String.valueOf(unclosed.getMessage()));
      }
    }

    void row(int number, String name, String type, String help) {
      names.add(name);
      Optional<DcgmField> known = fields.named(name);
      if (known.isEmpty()) {
        unknown(number, name);
        return;
      }
      switch (type) {
        case "gauge" -> family(number, known.get(), MetricType.GAUGE, ofClassicUnit(name, help));
        case "counter" ->
            family(number, known.get(), MetricType.COUNTER, ofClassicUnit(name, help));
        case "label" -> label(number, known.get());
        case "histogram", "summary" ->
            unavailable.add(place(number) + name + " is not exposed: it has no " + type);
        default -> problem(number, "'" + type + "' is not a type: gauge, counter or label");
      }
    }

    /** DCGM has more fields than Lapwing, and earlier releases other names: each costs itself. */
    private void unknown(int number, String name) {
      foreign += name.startsWith("DCGM_") ? 0 : 1;
      unavailable.add(
          place(number)
              + name
              + " is not a DCGM field that Lapwing knows"
              + fields.nearest(name).map(near -> "; did you mean " + near + "?").orElse(""));
    }

    /** A help is of the unit that its name has; the classic family has the catalogue's. */
    private static String ofClassicUnit(String name, String help) {
      boolean otherUnit =
          DcgmNames.SHIPPED.ofNew(name).flatMap(DcgmNames.Rename::scale).isPresent();
      return otherUnit ? "" : help;
    }

    private void family(int number, DcgmField field, MetricType type, String help) {
      Metric metric = METRICS.get(field.name());
      if (metric != null) {
        String itsHelp = help.isEmpty() ? metric.help() : help;
        want(number, new Metric(metric.name(), type, itsHelp, metric.labels()));
        Metric exact = DcgmMetrics.IN_BYTES.get(metric);
        if (exact != null) {
          wanted.put(exact.name(), exact);
        }
      } else if (field.answer() == DcgmField.Answer.LABEL) {
        mistyped(number, field.name() + " is a text: its type is label");
      } else {
        unavailable(number, field);
      }
    }

    private void want(int number, Metric metric) {
      Metric before = wanted.put(metric.name(), metric);
      Integer line = lines.put(metric.name(), number);
      if (before != null && !before.equals(metric)) {
        contradictions.add(
            place(number)
                + metric.name()
                + " has another type or help in line "
                + line
                + "; line "
                + number
                + " counts");
      }
    }

    private void label(int number, DcgmField field) {
      if (field.answer() == DcgmField.Answer.NONE) {
        unavailable(number, field);
      } else if (field.answer() == DcgmField.Answer.METRIC) {
        mistyped(number, field.name() + " is a number: its type is gauge or counter");
      } else {
        labels.add(labelField(field));
      }
    }

    private static LabelField labelField(DcgmField field) {
      for (LabelField label : LabelField.values()) {
        if (label.metricName().equals(field.name())) {
          return label;
        }
      }
      throw new IllegalStateException(field.name() + " is a label in the table and not in code");
    }

    private void unavailable(int number, DcgmField field) {
      unavailable.add(place(number) + field.name() + " is not exposed: " + field.whyNot());
    }

    /** dcgm-exporter accepts it, so it costs this field only. */
    private void mistyped(int number, String text) {
      unavailable.add(place(number) + text + "; not exposed");
    }

    private void problem(int number, String text) {
      problems.add(place(number) + text);
    }

    private String place(int number) {
      return file + ":" + number + ": ";
    }

    FieldFile finish() throws Malformed {
      if (foreign > 0 && foreign == names.size()) {
        problems.addAll(unavailable); // It is a file of something else.
      }
      if (!problems.isEmpty()) {
        throw new Malformed(problems);
      }
      return new FieldFile(
          GpuView.FieldSelection.of(wanted),
          labels.stream().distinct().toList(),
          List.copyOf(unavailable),
          List.copyOf(contradictions),
          List.copyOf(names));
    }
  }
}
