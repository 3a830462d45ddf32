package io.lapwing.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A process with memory on a GPU, as in the state line {@code processes}: {@code pid:MiB}, {@code
 * pid:MiB@7*0.25+mps}.
 *
 * @param mebibytes of the GPU's memory
 * @param instance the MIG GPU instance, if any
 * @param manner the rest: its share of the GPU's utilization, and its part in MPS
 */
record GpuProcess(long pid, long mebibytes, OptionalInt instance, String manner) {
  /** The name of every simulated process but servers of MPS. */
  static final String NAME = "python3";

  /** The kernel keeps 15 bytes of {@code nvidia-cuda-mps-server}. */
  static final String MPS_SERVER = "nvidia-cuda-mps";

  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{1,9}):(\\d{1,12})(?:@(\\d{1,5}))?((?:\\*[0-9.]{1,9})?(?:\\+(?:mps|server))?)");

  /** One on the whole GPU. */
  GpuProcess(long pid, long mebibytes) {
    this(pid, mebibytes, OptionalInt.empty(), "");
  }

  /** The processes of a state line; malformed entries are ignored. */
  static List<GpuProcess> listed(String line) {
    List<GpuProcess> processes = new ArrayList<>();
    Matcher matcher = FORM.matcher(line);
    while (matcher.find()) {
      String instance = matcher.group(3);
      processes.add(
          new GpuProcess(
              Long.parseLong(matcher.group(1)),
              Long.parseLong(matcher.group(2)),
              instance == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(instance)),
              matcher.group(4)));
    }
    return processes;
  }

  static String line(List<GpuProcess> processes) {
    return processes.stream().map(GpuProcess::text).collect(Collectors.joining(" "));
  }

  private String text() {
    String at = instance.isPresent() ? "@" + instance.getAsInt() : "";
    return pid + ":" + mebibytes + at + manner;
  }

  String comm() {
    return manner.endsWith("+server") ? MPS_SERVER : NAME;
  }

  String asTheDriverNamesIt() {
    return "pid=" + pid + ", name=" + comm() + ", ";
  }
}
