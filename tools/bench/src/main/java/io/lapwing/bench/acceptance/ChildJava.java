package io.lapwing.bench.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Another program of this class path, on the same Java. */
final class ChildJava {

  /** Where JNA's native library lies; otherwise it is unpacked from its jar. */
  private static final String NATIVE = "jna.boot.library.path";

  private ChildJava() {}

  static ProcessBuilder of(String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", "-XX:-UsePerfData", "-Djna.nosys=true"));
    String library = System.getProperty(NATIVE);
    if (library != null) {
      command.add("-D" + NATIVE + "=" + library);
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }
}
