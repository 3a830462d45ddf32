package io.lapwing.stack.fleet;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** A real agent on a simulated node, to be recorded. */
final class RecordedNode implements AutoCloseable {

  private static final Pattern FLAGS = Pattern.compile("(?m)^(--\\S.*)$");
  private static final Pattern ADDRESS = Pattern.compile("address=(http://[^ ]+)/metrics");

  private final Commands commands;
  private final Path folder;
  private final List<Started> started = new ArrayList<>();
  private final List<String> nodeFlags;

  private RecordedNode(Commands commands, Path folder, String instanceType, String scenario)
      throws IOException, InterruptedException {
    this.commands = commands;
    this.folder = Files.createDirectories(folder);
    this.nodeFlags = simulate(instanceType, scenario);
  }

  static RecordedNode start(Commands commands, Path folder, String instanceType, String scenario)
      throws IOException, InterruptedException {
    return new RecordedNode(commands, folder, instanceType, scenario);
  }

  private List<String> simulate(String instanceType, String scenario)
      throws IOException, InterruptedException {
    String node = folder.resolve("node").toString();
    List<String> command =
        commands.simulate(
            "--out", node, "--play", "--instance-type", instanceType, "--scenario", scenario);
    Started simulator = Started.start(command, folder.resolve("simulator.log"));
    started.add(simulator);
    return Arrays.asList(simulator.await(FLAGS).split(" "));
  }

  /** Starts another agent on this node; returns its URL. */
  URI watch(String name, String... flags) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(nodeFlags);
    all.removeIf(flag -> flag.startsWith("--path.state="));
    all.add("--path.state=" + folder.resolve(name + "-state"));
    all.add("--web.listen-address=127.0.0.1:0");
    all.add("--node.hostname=" + Identities.RECORDED_NAME);
    all.addAll(Arrays.asList(flags));
    Started agent = Started.start(commands.watch(all), folder.resolve(name + ".log"));
    started.add(agent);
    return URI.create(agent.await(ADDRESS) + "/metrics");
  }

  static String page(URI address) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(address).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  @Override
  public void close() {
    for (int i = started.size() - 1; i >= 0; i--) {
      started.get(i).close();
    }
  }
}
