package io.lapwing.drain.app;

import io.lapwing.common.config.DurationText;
import io.lapwing.common.config.ValueType;
import io.lapwing.common.config.ValueType.Invalid;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.aws.TopicArn;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Window;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The types of options that only the controller has. */
final class DrainValueTypes {
  private static final String NODE = "{node}";

  static final ValueType<Mode> MODE =
      ValueType.of("observe|dry-run|act", DrainValueTypes::parseMode);
  static final ValueType<Double> SHARE = ValueType.of("SHARE", DrainValueTypes::parseShare);
  static final ValueType<Integer> POSITIVE = ValueType.of("COUNT", DrainValueTypes::parsePositive);
  static final ValueType<Urgency> URGENCY =
      ValueType.of(
          "job_end|next_checkpoint|now",
          text ->
              Urgency.parse(text)
                  .orElseThrow(() -> new Invalid("is not one of job_end, next_checkpoint, now")));
  static final ValueType<Optional<Duration>> INTERVAL_OR_OFF =
      ValueType.of(
          "DURATION|off",
          text -> text.equals("off") ? Optional.empty() : Optional.of(DurationText.parse(text)));
  static final ValueType<RepairDriver> REPAIR_DRIVER =
      ValueType.of("DRIVER", DrainValueTypes::parseDriver);
  static final ValueType<Optional<Path>> PROGRAM =
      ValueType.of(
          "/PATH", text -> text.isEmpty() ? Optional.empty() : Optional.of(parseProgram(text)));
  static final ValueType<String> AGENT_ADDRESS = ValueType.of("URL", DrainValueTypes::parseAddress);
  static final ValueType<Optional<URI>> HTTPS =
      ValueType.of("URL", text -> text.isEmpty() ? Optional.empty() : Optional.of(https(text)));
  static final ValueType<Set<String>> WORDS =
      new ValueType<>("NAME", true, DrainValueTypes::parseWords);
  static final ValueType<List<TopicArn>> TOPICS =
      new ValueType<>("ARN", true, DrainValueTypes::parseTopics);

  static final ValueType<List<Window>> WINDOWS = new ValueType<>("WINDOW", true, WindowText::parse);
  static final ValueType<Map<String, Double>> HAZARDS =
      new ValueType<>("RULE=RATE", true, DrainValueTypes::parseHazards);

  static final ValueType<Optional<RestAddress>> REST =
      ValueType.of(
          "URL|unix:/PATH",
          text -> text.isEmpty() ? Optional.empty() : Optional.of(parseRest(text)));

  static final ValueType<Optional<LeaseName>> LEASE =
      ValueType.of("[NAMESPACE/]NAME|off", DrainValueTypes::parseLease);

  static final ValueType<DomainSource> DOMAINS =
      ValueType.of("blocks|feature:PREFIX|none", DrainValueTypes::parseDomains);

  private DrainValueTypes() {}

  /**
   * Source of the NVLink domains of Slurm's nodes.
   *
   * @param blocks whether the blocks of its topology do
   * @param feature prefix of the feature that does
   */
  record DomainSource(boolean blocks, Optional<String> feature) {}

  private static DomainSource parseDomains(String text) throws Invalid {
    if (text.equals("blocks") || text.equals("none")) {
      return new DomainSource(text.equals("blocks"), Optional.empty());
    }
    if (!text.matches("feature:[A-Za-z0-9_.:=-]{1,100}")) {
      throw new Invalid("is not one of blocks, feature:PREFIX, none");
    }
    return new DomainSource(false, Optional.of(text.substring("feature:".length())));
  }

  /**
   * Where slurmrestd listens.
   *
   * @param socket its Unix socket, instead of the host of {@code base}
   */
  record RestAddress(URI base, Optional<Path> socket) {}

  /**
   * A Lease of Kubernetes.
   *
   * @param namespace empty for that of the pod
   */
  record LeaseName(Optional<String> namespace, String name) {}

  /**
   * What carries a repair out.
   *
   * @param program of {@link Kind#EXEC}
   */
  record RepairDriver(Kind kind, Optional<Path> program) {

    enum Kind {
      NONE,
      SLURM,
      PARALLELCLUSTER,
      HYPERPOD,
      EC2,
      EXEC
    }
  }

  static String word(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Mode parseMode(String text) throws Invalid {
    for (Mode mode : Mode.values()) {
      if (word(mode).equals(text)) {
        return mode;
      }
    }
    throw new Invalid("is not one of observe, dry-run, act");
  }

  private static double parseShare(String text) throws Invalid {
    if (text.matches("0?\\.[0-9]{1,4}|[01](\\.0{1,4})?")) {
      double share = Double.parseDouble(text);
      if (share > 0) {
        return share;
      }
    }
    throw new Invalid("is not a share above 0 and up to 1, such as 0.1");
  }

  private static int parsePositive(String text) throws Invalid {
    if (!text.matches("[1-9][0-9]{0,5}")) {
      throw new Invalid("is not a whole number of 1 or more");
    }
    return Integer.parseInt(text);
  }

  private static RepairDriver parseDriver(String text) throws Invalid {
    if (text.startsWith("exec:")) {
      Path program = Path.of(text.substring("exec:".length()));
      if (!program.isAbsolute()) {
        throw new Invalid("has no absolute path, such as exec:/usr/local/sbin/reset-gpus");
      }
      return new RepairDriver(RepairDriver.Kind.EXEC, Optional.of(program));
    }
    for (RepairDriver.Kind kind : RepairDriver.Kind.values()) {
      if (kind != RepairDriver.Kind.EXEC && kind.name().toLowerCase(Locale.ROOT).equals(text)) {
        return new RepairDriver(kind, Optional.empty());
      }
    }
    throw new Invalid("is not one of none, slurm, parallelcluster, hyperpod, ec2, exec:/PATH");
  }

  private static Path parseProgram(String text) throws Invalid {
    Path program = Path.of(text);
    if (!program.isAbsolute()) {
      throw new Invalid("is not an absolute path, such as /usr/local/sbin/release-gpus");
    }
    return program;
  }

  private static String parseAddress(String text) throws Invalid {
    if (!text.contains(NODE) || !isWeb(text.replace(NODE, "node"))) {
      throw new Invalid("is not an address such as http://{node}:9754");
    }
    return text;
  }

  private static boolean isWeb(String text) {
    try {
      URI uri = URI.create(text);
      return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getHost() != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static URI https(String text) throws Invalid {
    if (!text.startsWith("https://") || !isWeb(text)) {
      throw new Invalid("is not a URL that begins with https://");
    }
    return URI.create(text);
  }

  private static Set<String> parseWords(String text) throws Invalid {
    Set<String> words = new TreeSet<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (!word.strip().matches("[A-Za-z0-9_.:/-]{1,200}")) {
        throw new Invalid("is not a list of names");
      }
      words.add(word.strip());
    }
    return words;
  }

  private static Map<String, Double> parseHazards(String text) throws Invalid {
    Map<String, Double> hazards = new TreeMap<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (!word.strip().matches("[a-z0-9_]{1,60}=[0-9]{1,4}(\\.[0-9]{1,6})?")) {
        throw new Invalid("has something that is not a rule and a rate such as xid_94=0.01");
      }
      String[] parts = word.strip().split("=", 2);
      hazards.put(parts[0], Double.valueOf(parts[1]));
    }
    return Map.copyOf(hazards);
  }

  private static RestAddress parseRest(String text) throws Invalid {
    if (text.startsWith("unix:/")) {
      return new RestAddress(
          URI.create("http://localhost"), Optional.of(Path.of(text.substring("unix:".length()))));
    }
    if (!isWeb(text) || !List.of("", "/").contains(URI.create(text).getRawPath())) {
      throw new Invalid("is not an address such as http://slurm1:6820 or unix:/PATH");
    }
    return new RestAddress(URI.create(text), Optional.empty());
  }

  private static Optional<LeaseName> parseLease(String text) throws Invalid {
    if (text.equals("off")) {
      return Optional.empty();
    }
    String label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
    if (!text.matches("(" + label + "/)?" + label)) {
      throw new Invalid("is neither off nor a name such as lapwing-drain or monitoring/drain");
    }
    String[] parts = text.split("/", 2);
    return Optional.of(
        new LeaseName(
            parts.length == 2 ? Optional.of(parts[0]) : Optional.empty(), parts[parts.length - 1]));
  }

  private static List<TopicArn> parseTopics(String text) throws Invalid {
    List<TopicArn> topics = new ArrayList<>();
    for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      topics.add(
          TopicArn.parse(word.strip())
              .orElseThrow(
                  () ->
                      new Invalid(
                          "has something that is not an ARN such as"
                              + " arn:aws:sns:us-east-1:111122223333:lapwing")));
    }
    return List.copyOf(topics);
  }
}
