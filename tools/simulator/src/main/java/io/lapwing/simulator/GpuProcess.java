package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A process with memory on a GPU, as the state's {@code processes} has it: {@code pid:MiB}.
 *
 * @param mebibytes of the GPU's memory
 */
record GpuProcess(long pid, long mebibytes) {
  /** What every simulated process is called. */
  static final String NAME = "python3";

  private static final Pattern FORM = Pattern.compile("(\\d{1,9}):(\\d{1,12})");

  /** Those of a state line; what is garbled in it is nobody. */
  static List<GpuProcess> listed(String line) {
    List<GpuProcess> processes = new ArrayList<>();
    Matcher matcher = FORM.matcher(line);
    while (matcher.find()) {
      processes.add(
          new GpuProcess(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2))));
    }
    return processes;
  }

  static String line(List<GpuProcess> processes) {
    return processes.stream().map(p -> p.pid + ":" + p.mebibytes).collect(Collectors.joining(" "));
  }

  String asTheDriverNamesIt() {
    return "pid=" + pid + ", name=" + NAME + ", ";
  }
}
