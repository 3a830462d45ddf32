package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.FieldValues;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlReturn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every field value of one GPU, for each link where it is of NVLinks or C2C, as lines of a state.
 */
final class FieldRecording {

  /** As many as Hopper and Blackwell have. */
  private static final int LINKS = 18;

  private FieldRecording() {}

  static void read(NvmlGpu gpu, StateLines lines) {
    for (NvmlField field : NvmlField.values()) {
      List<FieldKey> keys = keys(field);
      FieldValues values = gpu.fields(keys);
      Map<FieldKey, Reading<Double>> answers = new LinkedHashMap<>();
      keys.forEach(key -> answers.put(key, values.get(key)));
      write("gpu." + gpu.index() + ".", field, answers, lines);
    }
  }

  private static List<FieldKey> keys(NvmlField field) {
    List<FieldKey> keys = new ArrayList<>(List.of(field.whole()));
    if (field.name().startsWith("NVLINK") || field.name().startsWith("C2C")) {
      for (int link = 1; link < LINKS; link++) {
        keys.add(field.link(link));
      }
      keys.add(field.allLinks());
    }
    return keys;
  }

  /** One line instead of twenty for a field that this GPU or driver does not have at all. */
  private static void write(
      String gpu, NvmlField field, Map<FieldKey, Reading<Double>> answers, StateLines lines) {
    List<Integer> codes = answers.values().stream().map(FieldRecording::code).distinct().toList();
    if (codes.size() == 1 && codes.get(0) != 0) {
      lines.put(gpu + "fieldreturn." + field.id(), String.valueOf(codes.get(0)));
      return;
    }
    answers.forEach(
        (key, answer) -> {
          String scope = key.scope() == FieldKey.ALL_LINKS ? "all" : String.valueOf(key.scope());
          String name = field.id() + "." + scope;
          if (field == NvmlField.C2C_LINK_COUNT
              && answer instanceof Reading.Present<Double> links) {
            lines.put(gpu + "c2c.count", StateLines.number(links.value())); // GPM needs it
          }
          answer
              .toOptional()
              .ifPresentOrElse(
                  value -> lines.put(gpu + "field." + name, StateLines.number(value)),
                  () -> lines.put(gpu + "fieldreturn." + name, String.valueOf(code(answer))));
        });
  }

  /** A driver that predates a field answers INVALID_ARGUMENT for it. */
  private static int code(Reading<Double> answer) {
    if (answer instanceof Reading.Present) {
      return 0;
    }
    return answer instanceof Reading.Missing
        ? NvmlReturn.INVALID_ARGUMENT.code()
        : StateLines.code(answer);
  }
}
