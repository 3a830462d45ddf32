package io.lapwing.stack.fleet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lapwing.stack.Prometheus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * {@code bench --fleet}: runs fleets of increasing size with a real Prometheus and reports the
 * cost.
 */
public final class Main {

  private Main() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    FleetOptions options;
    try {
      options = FleetOptions.parse(Arrays.asList(arguments));
    } catch (IllegalArgumentException e) {
      System.err.println("bench --fleet: " + e.getMessage());
      System.exit(2);
      return;
    }
    if (Prometheus.program().isEmpty()) {
      System.err.println("bench --fleet: this machine has no prometheus");
      System.exit(1);
    }
    Path scratch = Files.createTempDirectory("lapwing-fleet");
    try {
      System.out.println(run(options, scratch).text());
    } finally {
      delete(scratch);
    }
  }

  private static FleetReport run(FleetOptions options, Path scratch)
      throws IOException, InterruptedException {
    Recordings recordings = new Recordings(options.pages());
    System.err.println("recorded pages are in " + options.pages());
    recordings.complete(options.commands(), FleetPlan.scenarios(), scratch);
    Predicate<String> kept = kept(options);
    Map<String, PageTemplate> templates = new HashMap<>();
    for (String scenario : FleetPlan.scenarios()) {
      templates.put(scenario, recordings.template(scenario, kept));
    }
    List<FleetFigures> fleets = new ArrayList<>();
    for (int nodes : options.sizes()) {
      System.err.println("playing " + nodes + " nodes ...");
      Path folder = Files.createDirectory(scratch.resolve("fleet-" + nodes));
      fleets.add(new FleetRun(options, templates, folder).of(nodes));
      delete(folder);
      if (options.json().isPresent()) {
        write(options.json().get(), fleets);
      }
    }
    return new FleetReport(fleets);
  }

  private static Predicate<String> kept(FleetOptions options) throws IOException {
    if (options.keep().isEmpty()) {
      return name -> true;
    }
    return KeepList.read(options.keep().get()).asMatchPredicate();
  }

  private static void write(Path file, List<FleetFigures> fleets) throws IOException {
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(file.toFile(), fleets);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
