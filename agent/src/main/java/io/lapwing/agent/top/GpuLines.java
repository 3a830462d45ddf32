package io.lapwing.agent.top;

import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.Gpu;
import io.lapwing.agent.top.NodeFrame.Instance;
import io.lapwing.agent.top.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The GPUs, one a line, and below each its MIG instances. */
final class GpuLines {

  private static final List<Column> COLUMNS =
      List.of(
          Column.key("GPU"),
          Column.text("MODEL", 6),
          Column.key("STATE"),
          Column.number("UTIL%", 5),
          Column.number("SM%", 0),
          Column.number("TENSOR%", 3),
          Column.text("MEMORY", 8),
          Column.number("GiB", 0),
          Column.number("WATTS", 0),
          Column.number("C", 0),
          Column.number("MHz", 4),
          Column.text("XID", 0),
          Column.text("THROTTLED BY", 2),
          Column.text("JOB", 0),
          Column.text("USER", 1));

  /** The columns that a MIG instance lacks: the driver reports these for whole GPUs. */
  private static final Span OF_THE_GPU = Span.of("");

  /** Reasons for lower clocks that are no problem, as in the UI. */
  private static final Pattern AS_INTENDED = Pattern.compile("idle|setting|power_cap|display");

  private static final int MAX_NAME = 12;
  private static final int MAX_EVENTS = 30;

  private GpuLines() {}

  static List<Line> of(NodeFrame frame, View view, int width) {
    List<Gpu> shown =
        frame.gpus().stream()
            .filter(gpu -> view.matches(gpu.job(), gpu.user()))
            .sorted(order(view.sort()))
            .toList();
    List<Line> lines = new ArrayList<>();
    lines.add(title(frame, shown.size(), view));
    if (!shown.isEmpty()) {
      List<List<Span>> rows = new ArrayList<>();
      for (Gpu gpu : shown) {
        rows.add(row(gpu, frame));
        instances(gpu, frame, view).forEach(instance -> rows.add(row(gpu, instance)));
      }
      lines.addAll(Table.of(COLUMNS, rows, width));
    }
    return lines;
  }

  private static Stream<Instance> instances(Gpu gpu, NodeFrame frame, View view) {
    return frame.instances().stream()
        .filter(one -> one.gpuUuid().equals(gpu.uuid()))
        .filter(one -> view.matches(one.job(), one.user()))
        .sorted(Comparator.comparingInt(Instance::id));
  }

  private static Line title(NodeFrame frame, int shown, View view) {
    int all = frame.gpus().size();
    if (all == 0) {
      return SectionText.title("GPUs", "none");
    }
    String gpus = shown == all ? "" + all : shown + " of " + all;
    int instances = frame.instances().size();
    String count = instances == 0 ? gpus : gpus + ", " + instances + " MIG instances";
    String order = view.sort() == View.Sort.INDEX ? "" : ", by " + view.sort().word();
    return SectionText.title("GPUs", count + order);
  }

  private static Comparator<Gpu> order(View.Sort sort) {
    Comparator<Gpu> byIndex = Comparator.comparingInt(Gpu::index);
    return switch (sort) {
      case INDEX -> byIndex;
      case UTIL ->
          highest(gpu -> gpu.smActive().isPresent() ? gpu.smActive() : gpu.utilizationPercent());
      case MEMORY -> highest(Gpu::memoryUsed);
      case POWER -> highest(Gpu::watts);
      case TEMP -> highest(Gpu::celsius);
    };
  }

  private interface Measure {
    OptionalDouble of(Gpu gpu);
  }

  /** Those without a value last. */
  private static Comparator<Gpu> highest(Measure measure) {
    return Comparator.comparingDouble((Gpu gpu) -> -measure.of(gpu).orElse(-1))
        .thenComparingInt(Gpu::index);
  }

  private static List<Span> row(Gpu gpu, NodeFrame frame) {
    return List.of(
        Span.of(number(gpu.index())),
        Span.of(model(gpu.name())),
        state(gpu, frame),
        Span.of(Quantity.whole(gpu.utilizationPercent())),
        Span.of(Quantity.percent(gpu.smActive())),
        Span.of(Quantity.percent(gpu.tensorActive())),
        Span.of(Quantity.bar(gpu.memoryUsed(), gpu.memory())),
        Span.of(Quantity.gibibytes(gpu.memoryUsed(), gpu.memory())),
        Span.of(Quantity.of(gpu.watts(), gpu.wattsLimit())),
        Span.of(Quantity.whole(gpu.celsius())),
        Span.of(Quantity.whole(gpu.megahertz())),
        new Span(Tone.BAD, SectionText.cut(String.join(",", gpu.xids().keySet()), MAX_NAME)),
        new Span(Tone.WARN, SectionText.cut(throttled(gpu), MAX_EVENTS)),
        Span.of(SectionText.cut(gpu.job(), MAX_NAME)),
        Span.of(SectionText.cut(gpu.user(), MAX_NAME)));
  }

  private static List<Span> row(Gpu gpu, Instance instance) {
    return List.of(
        Span.of(number(gpu.index()) + "/" + number(instance.id())),
        Span.of(SectionText.cut(instance.profile(), MAX_NAME)),
        OF_THE_GPU,
        OF_THE_GPU,
        Span.of(Quantity.percent(instance.smActive())),
        Span.of(Quantity.percent(instance.tensorActive())),
        Span.of(Quantity.bar(instance.memoryUsed(), instance.memory())),
        Span.of(Quantity.gibibytes(instance.memoryUsed(), instance.memory())),
        OF_THE_GPU,
        OF_THE_GPU,
        OF_THE_GPU,
        OF_THE_GPU,
        OF_THE_GPU,
        Span.of(SectionText.cut(holder(instance), MAX_NAME)),
        Span.of(SectionText.cut(instance.user(), MAX_NAME)));
  }

  /** A job of the whole GPU is in the row of the GPU. */
  private static String holder(Instance instance) {
    boolean allocated = instance.allocated().orElse(0) != 0;
    return instance.job().isEmpty() && allocated ? "allocated" : instance.job();
  }

  private static String throttled(Gpu gpu) {
    return gpu.clockEvents().stream()
        .filter(reason -> !AS_INTENDED.matcher(reason).find())
        .collect(Collectors.joining(","));
  }

  private static String number(int index) {
    return index == Integer.MAX_VALUE ? "?" : "" + index;
  }

  /** The state of its source if it does not answer, or else its verdict. */
  private static Span state(Gpu gpu, NodeFrame frame) {
    if (!gpu.up()) {
      return frame.problems().stream()
          .filter(problem -> problem.source().equals("gpu" + gpu.index()))
          .findFirst()
          .map(problem -> new Span(Tone.BAD, problem.state()))
          .orElse(new Span(Tone.BAD, "gone"));
    }
    Verdict verdict =
        frame.health().gpus().stream()
            .filter(one -> one.uuid().equals(gpu.uuid()))
            .map(GpuVerdict::verdict)
            .findFirst()
            .orElse(Verdict.UNKNOWN);
    String word = verdict == Verdict.HEALTHY ? "ok" : verdict.text();
    return new Span(HeaderLines.tone(verdict), word);
  }

  /**
   * {@code NVIDIA H100 80GB HBM3} as {@code H100}, {@code NVIDIA RTX 6000 Ada} as {@code RTX 6000}.
   */
  static String model(String name) {
    String[] words =
        name.replaceFirst("(?i)^NVIDIA\\s+", "").replaceFirst("(?i)^Tesla\\s+", "").split(" ", 3);
    boolean family = words.length > 1 && words[0].matches("[A-Za-z]+");
    String model = family ? words[0] + " " + words[1] : words[0];
    return SectionText.cut(model.replaceFirst("(?i)-(SXM|PCIE).*", ""), MAX_NAME)
        .toUpperCase(Locale.ROOT);
  }
}
