package io.lapwing.agent.support;

import io.lapwing.agent.cli.AgentPages;
import io.lapwing.agent.cli.AgentPages.Answer;
import io.lapwing.agent.cli.NodeEvents;
import io.lapwing.agent.config.Configuration;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.support.BundlePart.MissingPart;
import io.lapwing.agent.support.BundlePart.Source;
import io.lapwing.collect.Reading;
import io.lapwing.common.config.ResolvedOptions.ResolvedOption;
import io.lapwing.linux.ProcFs;
import io.lapwing.linux.SmallFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** The parts of a bundle of this node. */
final class BundleParts {

  private static final int MAX_FILE = 1 << 20;

  private final Configuration configuration;
  private final AgentPages agent;
  private final Instant since;
  private final String version;

  /** {@code version} is the JSON of {@code lapwing version}. */
  BundleParts(Configuration configuration, AgentPages agent, Instant since, String version) {
    this.configuration = configuration;
    this.agent = agent;
    this.since = since;
    this.version = version;
  }

  List<BundlePart> all(boolean kernel) {
    Settings.Paths paths = configuration.settings().paths();
    List<BundlePart> parts =
        new ArrayList<>(
            List.of(
                new BundlePart(
                    "version.json", "versions of Lapwing, Java and Linux", () -> version),
                new BundlePart(
                    "config.txt",
                    "all options and where each is set, without secrets; flags of the service are"
                        + " not known here",
                    this::options),
                page("health.json", "verdict and findings", "/api/v1/health"),
                page(
                    "node.json",
                    "what the agent reads here, and what not, and why",
                    "/api/v1/node"),
                page("metrics.txt", "all metric families", "/metrics?preset=full"),
                new BundlePart(
                    "events.jsonl",
                    "events since " + since + ", from the agent or else from its log",
                    this::events),
                file("os-release.txt", paths.rootfs().resolve("etc/os-release")),
                file("kernel.txt", paths.procfs().resolve("version")),
                file("driver.txt", paths.procfs().resolve("driver/nvidia/version")),
                file("modules.txt", paths.procfs().resolve("modules"))));
    if (kernel) {
      parts.add(
          new BundlePart(
              "kernel-log.txt",
              "kernel messages on GPUs, network, file systems and hardware since boot; they name"
                  + " programs",
              () ->
                  KernelLines.read(
                      paths,
                      new ProcFs(paths.procfs()).bootTime(InstantSource.system()).toOptional())));
    }
    return parts;
  }

  private BundlePart page(String name, String what, String path) {
    return new BundlePart(name, what + ", " + path + " of the agent", () -> page(path));
  }

  private String page(String path) throws MissingPart, InterruptedException {
    Answer answer = agent.get(path);
    if (answer instanceof Answer.Page page) {
      return page.body();
    }
    throw new MissingPart(((Answer.None) answer).why());
  }

  private static BundlePart file(String name, Path path) {
    Source source =
        () -> {
          Reading<String> text = SmallFile.whole(path, MAX_FILE);
          if (text instanceof Reading.Present<String> present) {
            return present.value();
          }
          throw new MissingPart(
              text instanceof Reading.Failed<String> failed
                  ? path + ": " + failed.reason()
                  : path + " does not exist");
        };
    return new BundlePart(name, path.toString(), source);
  }

  private String options() {
    StringBuilder text = new StringBuilder();
    for (ResolvedOption option : configuration.effective()) {
      String place = option.place().isEmpty() ? "default" : option.place();
      text.append("%s = %s  (%s)%n".formatted(option.key(), option.text(), place));
    }
    return text.toString();
  }

  private String events() throws MissingPart, InterruptedException {
    try {
      return NodeEvents.since(since, agent, configuration.settings().paths().state()).json();
    } catch (IOException unreadable) {
      throw new MissingPart(String.valueOf(unreadable.getMessage()));
    }
  }
}
