package io.lapwing.agent.config;

import io.lapwing.common.config.Flags;
import io.lapwing.common.config.Option;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The options by subject, as {@code --help} lists them: first what a site sets, last tuning. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are copies
enum OptionGroup {
  WEB("Web", "web."),
  METRICS("Metrics", "metrics", "labels", "gpu.", "hpc-job-label", "lustre."),
  HEALTH("Health and identity of the node", "health.", "node."),
  PROGRAM("Configuration, state and log", "config.file", "path.state", "log.", "once"),
  SOURCES("Sources", "jobs.", "training.", "nccl.", "inference.", "dcgm.", "nvml.", "imds."),
  TUNING("Tuning and development", "cadence.", "poll.", "path.", Options.DISABLE_DEFAULTS.name()),
  COLLECTORS("Collectors, enabled unless noted", CollectorSwitch.PREFIX);

  private final String title;
  private final List<String> prefixes;

  OptionGroup(String title, String... prefixes) {
    this.title = title;
    this.prefixes = List.of(prefixes);
  }

  /** All options, each in one section. */
  static List<Flags.Section> sections(List<Option<?>> options) {
    return Arrays.stream(values())
        .map(group -> new Flags.Section(group.title, group.of(options)))
        .toList();
  }

  /** In the order of the prefixes. */
  private List<Option<?>> of(List<Option<?>> options) {
    List<Option<?>> mine = new ArrayList<>(options);
    mine.removeIf(option -> group(option) != this);
    mine.sort(Comparator.comparing(option -> prefixes.indexOf(prefix(option))));
    return mine;
  }

  private String prefix(Option<?> option) {
    return prefixes.stream().filter(option.name()::startsWith).findFirst().orElse("");
  }

  private static OptionGroup group(Option<?> option) {
    return Arrays.stream(values())
        .filter(group -> !group.prefix(option).isEmpty())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(option.name() + " is in no group"));
  }
}
