package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A process with memory on a GPU, as in the state line {@code processes}: {@code pid:MiB}.
 *
 * @param mebibytes of the GPU's memory
 */
record GpuProcess(long pid, long mebibytes) {
  /** The name of every simulated process. */
  static final String NAME = "python3";

  private static final Pattern FORM = Pattern.compile("(\\d{1,9}):(\\d{1,12})");

  /** The processes of a state line; malformed entries are ignored. */
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
