package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What {@code dcgmi}, the client of DCGM's host engine, prints: {@code discovery -l} and {@code
 * dmon}. It starts no engine.
 *
 * @param problem why there is nothing to compare with; empty if there is
 * @param ids the engine's numbers of GPUs by UUID
 * @param readings by the engine's number of the GPU: the values of each field, by its id
 */
record DcgmiOutput(
    Optional<String> problem,
    Map<String, Integer> ids,
    Map<Integer, Map<Integer, List<Double>>> readings) {

  static final DcgmiOutput NO_DCGMI = without("no dcgmi");

  /** Of one row for each GPU; the first has no profiling values yet. */
  private static final int SAMPLES = 4;

  private static final int SECONDS_AT_MOST = 30;

  /** {@code | 0 | Name: NVIDIA L4}; later lines of the GPU have no number. */
  private static final Pattern GPU = Pattern.compile("\\|?\\s*(?:GPU ID: )?(\\d+)\\s*(?:\\|.*)?");

  private static final Pattern UUID = Pattern.compile("Device UUID:\\s*(GPU-[0-9a-f-]+)");
  private static final Pattern ROW = Pattern.compile("\\s*GPU\\s+(\\d+)\\s+(\\S.*)");

  static DcgmiOutput without(String problem) {
    return new DcgmiOutput(Optional.of(problem), Map.of(), Map.of());
  }

  /** {@code engine}: where the agent has found it, as in {@code lapwing_dcgm_info}. */
  static DcgmiOutput read(String engine, List<Integer> fields) throws InterruptedException {
    try {
      List<String> host = host(engine);
      String gpus = run(host, "discovery", "-l");
      String ids = fields.stream().map(String::valueOf).collect(Collectors.joining(","));
      String rows = run(host, "dmon", "-e", ids, "-d", "1000", "-c", String.valueOf(SAMPLES));
      return new DcgmiOutput(Optional.empty(), ids(gpus), readings(rows, fields));
    } catch (Refused refused) {
      return without(String.valueOf(refused.getMessage()));
    } catch (IOException notThere) {
      return NO_DCGMI;
    }
  }

  private static final class Refused extends IOException {

    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message);
    }
  }

  /** {@code dcgmi} has the same default as the agent. */
  private static List<String> host(String engine) {
    if (engine.equals("localhost:5555")) {
      return List.of();
    }
    return List.of("--host", engine.replaceFirst("^unix:", "unix://"));
  }

  private static String run(List<String> host, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("dcgmi", arguments[0]));
    command.addAll(host);
    command.addAll(List.of(arguments).subList(1, arguments.length));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    StringBuilder text = new StringBuilder();
    Thread reader =
        new Thread(
            () -> {
              try {
                text.append(new String(process.getInputStream().readAllBytes(), UTF_8));
              } catch (IOException ended) {
                text.append(ended.getMessage());
              }
            });
    reader.start();
    boolean ended = process.waitFor(SECONDS_AT_MOST, TimeUnit.SECONDS);
    if (!ended) {
      process.destroyForcibly();
    }
    reader.join();
    if (!ended) {
      throw new Refused("dcgmi " + arguments[0] + " did not end in " + SECONDS_AT_MOST + " s");
    }
    if (process.exitValue() != 0) {
      String first = text.toString().lines().findFirst().orElse("").strip();
      throw new Refused(
          "dcgmi " + arguments[0] + " ended with " + process.exitValue() + ": " + first);
    }
    return text.toString();
  }

  /** The numbers by UUID; instances of MIG and other entities are left out. */
  static Map<String, Integer> ids(String discovery) {
    Map<String, Integer> ids = new LinkedHashMap<>();
    int current = -1;
    for (String line : discovery.lines().toList()) {
      Matcher gpu = GPU.matcher(line.strip());
      if (gpu.matches()) {
        current = Integer.parseInt(gpu.group(1));
      }
      Matcher uuid = UUID.matcher(line);
      if (uuid.find() && current >= 0) {
        ids.put(uuid.group(1), current);
      }
    }
    return ids;
  }

  /** {@code N/A} is no value; a row with another number of columns than fields is left out. */
  static Map<Integer, Map<Integer, List<Double>>> readings(String dmon, List<Integer> fields) {
    Map<Integer, Map<Integer, List<Double>>> readings = new HashMap<>();
    for (String line : dmon.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (!row.matches()) {
        continue;
      }
      String[] columns = row.group(2).strip().split("\\s+", -1);
      for (int i = 0; i < fields.size() && columns.length == fields.size(); i++) {
        if (columns[i].matches("-?[0-9.]+(?:[eE][-+]?[0-9]+)?")) {
          readings
              .computeIfAbsent(Integer.parseInt(row.group(1)), gpu -> new HashMap<>())
              .computeIfAbsent(fields.get(i), field -> new ArrayList<>())
              .add(Double.parseDouble(columns[i]));
        }
      }
    }
    return readings;
  }

  /** The values of one field of one GPU. */
  List<Double> of(String uuid, int field) {
    Integer id = ids.get(uuid);
    return id == null
        ? List.of()
        : readings.getOrDefault(id, Map.of()).getOrDefault(field, List.of());
  }
}
