package io.lapwing.bench.soak;

import io.lapwing.bench.Json;
import io.lapwing.bench.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/**
 * {@code ./lapwing soak}: runs the agent for a long time on a node with all faults and many
 * clients. Exit code 0 if its resource use stayed flat, 1 if it grew or failed, 2 for wrong usage.
 */
public final class Main {

  private Main() {}

  /** Runs the soak and prints the report. */
  public static void main(String[] arguments) throws InterruptedException {
    System.exit(run(List.of(arguments)));
  }

  private static int run(List<String> arguments) throws InterruptedException {
    try {
      SoakOptions options = SoakOptions.parse(arguments);
      ScratchFolder logs = ScratchFolder.create("lapwing-soak");
      System.err.println("soak: " + options.whole().toMinutes() + " minutes; logs: " + logs.path());
      SoakReport report = new Soak(options).run(logs.path());
      System.out.print(report.text());
      if (options.json().isPresent()) {
        Files.writeString(options.json().get(), Json.write(report.json()));
      }
      if (report.flat()) {
        logs.delete();
      }
      return report.flat() ? 0 : 1;
    } catch (IllegalArgumentException mistake) {
      System.err.println("soak: " + mistake.getMessage());
      return 2;
    } catch (IOException failure) {
      System.err.println("soak: " + failure.getMessage());
      return 1;
    }
  }
}
