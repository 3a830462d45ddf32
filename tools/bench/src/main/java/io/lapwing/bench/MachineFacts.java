package io.lapwing.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The machine and time of a measurement. */
final class MachineFacts {

  private MachineFacts() {}

  static Map<String, Object> read(Server.Program agent, Server.Program peer) throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("cores", Runtime.getRuntime().availableProcessors());
    facts.put("processor", processor());
    facts.put("memory_kib", memoryKib());
    facts.put("kernel", Files.readString(Path.of("/proc/sys/kernel/osrelease")).strip());
    facts.put("architecture", System.getProperty("os.arch"));
    facts.put(
        "jvm", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    facts.put("agent_command", String.join(" ", agent.command()));
    facts.put("peer_command", String.join(" ", peer.command()));
    facts.put("peer_version", firstLine(List.of(peer.command().get(0), "--version")));
    return facts;
  }

  private static String processor() throws IOException {
    return fieldOf(Path.of("/proc/cpuinfo"), "model name");
  }

  private static long memoryKib() throws IOException {
    return Long.parseLong(fieldOf(Path.of("/proc/meminfo"), "MemTotal").split(" ", 2)[0]);
  }

  private static String fieldOf(Path file, String name) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }

  private static String firstLine(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return output.lines().findFirst().orElse("unknown");
  }
}
