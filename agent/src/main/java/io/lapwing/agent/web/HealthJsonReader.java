package io.lapwing.agent.web;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HardwareHistory;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.HealthReport.NodeName;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.StopCost;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.web.HealthJson.UnreadableHealth;
import io.lapwing.json.JsonCursor;
import io.lapwing.json.NotJson;
import io.lapwing.node.Platform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Parses {@link HealthJson}. The input is untrusted: any server may listen on the port. */
final class HealthJsonReader {

  private HealthJsonReader() {}

  static HealthReport of(byte[] json) throws UnreadableHealth {
    return of(Node.root(json));
  }

  static HealthReport of(@Nullable Object member) throws UnreadableHealth {
    return of(new Node(member, "health"));
  }

  private static HealthReport of(Node root) throws UnreadableHealth {
    return new HealthReport(
        root.at("at").instant(),
        verdict(root),
        action(root),
        root.at("urgency").isNull() ? Optional.empty() : Optional.of(urgency(root)),
        root.at("since").instant(),
        root.at("summary").text(),
        root.at("gpus").list(HealthJsonReader::gpu),
        root.at("findings").list(HealthJsonReader::finding),
        root.at("unwatched").texts(),
        slowness(root.at("slow")),
        operations(root),
        root.at("profile").text(),
        root.at("simulated").flag(),
        root.at("hardware").isNull()
            ? List.of()
            : root.at("hardware").list(HealthJsonReader::tally),
        0,
        root.at("stop_costs").isNull()
            ? List.of()
            : root.at("stop_costs").list(HealthJsonReader::stopCost),
        root.at("node").isNull() ? NodeName.UNKNOWN : node(root.at("node")));
  }

  /** Earlier agents omit the member; the platforms of later ones may be unknown here. */
  private static NodeName node(Node node) throws UnreadableHealth {
    Node platform = node.at("platform");
    return new NodeName(
        node.at("hostname").text(),
        node.at("instance_id").text(),
        platform.isNull() ? Optional.empty() : Platform.of(platform.text()),
        node.at("platform_source").text(),
        node.at("boot_id").isNull() ? "" : node.at("boot_id").text());
  }

  private static Verdict verdict(Node of) throws UnreadableHealth {
    return of.at("verdict").oneOf(Verdict.values(), Verdict::text);
  }

  private static Action action(Node of) throws UnreadableHealth {
    return of.at("action").oneOf(Action.values(), Action::text);
  }

  private static Urgency urgency(Node of) throws UnreadableHealth {
    return of.at("urgency").oneOf(Urgency.values(), Urgency::text);
  }

  private static GpuVerdict gpu(Node gpu) throws UnreadableHealth {
    return new GpuVerdict(
        gpu.at("uuid").text(),
        (int) gpu.at("index").number(),
        gpu.at("pci").text(),
        verdict(gpu),
        action(gpu),
        gpu.at("since").instant());
  }

  private static Finding finding(Node finding) throws UnreadableHealth {
    Instant since = finding.at("since").instant();
    Instant last = finding.at("last").instant();
    Detection symptom =
        new Detection(
            finding.at("rule").text(),
            subject(finding.at("subject")),
            new Disposition(
                finding.at("severity").oneOf(Severity.values(), Severity::text),
                action(finding),
                urgency(finding)),
            finding.at("what").text(),
            finding.at("why").text(),
            finding.at("document").text(),
            Optional.of(since),
            Optional.of(last),
            finding.at("times").number(),
            finding.at("sources").list(Node::text),
            Optional.empty(),
            isConfirmed(finding),
            instance(finding));
    return new Finding(symptom, since, last);
  }

  /** Earlier agents omit the member. */
  private static boolean isConfirmed(Node finding) throws UnreadableHealth {
    return finding.at("confirmed").isNull() || finding.at("confirmed").flag();
  }

  /** Earlier agents omit the member. */
  private static OptionalInt instance(Node finding) throws UnreadableHealth {
    Node id = finding.at("gpu_instance");
    return id.isNull() ? OptionalInt.empty() : OptionalInt.of((int) id.number());
  }

  /** Agents without training support omit the member. */
  private static Slowness slowness(Node array) throws UnreadableHealth {
    return array.isNull()
        ? Slowness.NONE
        : new Slowness(array.list(HealthJsonReader::rank), List.of());
  }

  /** Earlier agents omit the member, or that of the ranks in it. */
  private static StopCost stopCost(Node cost) throws UnreadableHealth {
    Node step = cost.at("step");
    Node durable = cost.at("durable");
    Node gpus = cost.at("gpus");
    Node ranks = cost.at("ranks");
    return new StopCost(
        cost.at("job").text(),
        cost.at("run").text(),
        step.isNull() ? OptionalLong.empty() : OptionalLong.of(step.number()),
        durable.isNull() ? Optional.empty() : Optional.of(durable.instant()),
        cost.at("unsaved").instant(),
        Duration.ofSeconds(cost.at("lost_seconds").number()),
        (int) (ranks.isNull() ? gpus : ranks).number(),
        gpus.isNull());
  }

  /** Agents without maintenance omit the members. */
  private static Operations operations(Node root) throws UnreadableHealth {
    Node maintenance = root.at("maintenance");
    Node released = root.at("gpus_released");
    Node tests = root.at("tests");
    return new Operations(
        maintenance.isNull() ? Optional.empty() : Optional.of(maintenance(maintenance)),
        released.isNull() ? Optional.empty() : Optional.of(release(released)),
        tests.isNull() ? List.of() : tests.list(HealthJsonReader::test));
  }

  private static Operations.Maintenance maintenance(Node node) throws UnreadableHealth {
    return new Operations.Maintenance(
        node.at("since").instant(), node.at("until").instant(), node.at("note").text());
  }

  private static Operations.Release release(Node node) throws UnreadableHealth {
    Node closed = node.at("closed");
    return new Operations.Release(
        node.at("since").instant(), node.at("until").instant(), !closed.isNull() && closed.flag());
  }

  private static Operations.Test test(Node node) throws UnreadableHealth {
    return new Operations.Test(finding(node), node.at("until").instant());
  }

  private static HardwareHistory.Tally tally(Node tally) throws UnreadableHealth {
    return new HardwareHistory.Tally(
        subject(tally.at("subject")).text(),
        tally.at("serial").text(),
        (int) tally.at("episodes").number(),
        (int) tally.at("score").number(),
        (int) tally.at("earlier_score").number(),
        tally.at("last").instant());
  }

  private static Slowness.Rank rank(Node rank) throws UnreadableHealth {
    return new Slowness.Rank(
        rank.at("subject").text(),
        rank.at("cause").text(),
        rank.at("lost_seconds").decimal(),
        rank.at("of_seconds").decimal(),
        rank.at("sentence").text());
  }

  private static Subject subject(Node node) throws UnreadableHealth {
    String text = node.text();
    Subject subject = Subject.parse(text);
    if (!subject.text().equals(text)) {
      throw node.problem("is unknown: " + text);
    }
    return subject;
  }

  /** A JSON value (null also if missing) and its path, {@code findings[2].since}. */
  private record Node(@Nullable Object value, String path) {

    static Node root(byte[] document) throws UnreadableHealth {
      try (JsonCursor json = JsonCursor.ofAgent(document, 0, document.length)) {
        if (json.isEmpty()) {
          throw new UnreadableHealth("empty response");
        }
        Node root = new Node(json.value(), "");
        if (!json.ends()) {
          throw new UnreadableHealth("trailing data after the JSON");
        }
        return root;
      } catch (NotJson e) {
        throw new UnreadableHealth("not JSON");
      } catch (UnreadableHealth e) {
        throw e;
      } catch (IOException e) {
        throw new UnreadableHealth("not UTF-8 text");
      }
    }

    Node at(String name) throws UnreadableHealth {
      if (value instanceof Map<?, ?> members) {
        return new Node(members.get(name), path.isEmpty() ? name : path + "." + name);
      }
      throw problem("is not an object");
    }

    boolean isNull() {
      return value == null;
    }

    String text() throws UnreadableHealth {
      if (value instanceof String text) {
        return text;
      }
      throw problem("is not a string");
    }

    long number() throws UnreadableHealth {
      if (value instanceof Long number) {
        return number;
      }
      throw problem("is not an integer");
    }

    double decimal() throws UnreadableHealth {
      if (value instanceof Number number) {
        return number.doubleValue();
      }
      throw problem("is not a number");
    }

    boolean flag() throws UnreadableHealth {
      if (value instanceof Boolean flag) {
        return flag;
      }
      throw problem("is not a boolean");
    }

    Instant instant() throws UnreadableHealth {
      try {
        return Instant.parse(text());
      } catch (DateTimeParseException e) {
        throw problem("is not a timestamp");
      }
    }

    /** One of the constants of an enum. */
    <E extends Enum<E>> E oneOf(E[] choices, Function<E, String> word) throws UnreadableHealth {
      String text = text();
      for (E choice : choices) {
        if (word.apply(choice).equals(text)) {
          return choice;
        }
      }
      throw problem("is unknown: " + text);
    }

    interface Reader<T> {
      T read(Node node) throws UnreadableHealth;
    }

    <T> List<T> list(Reader<T> reader) throws UnreadableHealth {
      if (value instanceof List<?> list) {
        List<T> elements = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
          elements.add(reader.read(new Node(list.get(i), path + "[" + i + "]")));
        }
        return elements;
      }
      throw problem("is not an array");
    }

    /** The members of an object of strings. */
    Map<String, String> texts() throws UnreadableHealth {
      if (value instanceof Map<?, ?> members) {
        Map<String, String> texts = new TreeMap<>();
        for (Object name : members.keySet()) {
          texts.put(String.valueOf(name), at(String.valueOf(name)).text());
        }
        return texts;
      }
      throw problem("is not an object");
    }

    UnreadableHealth problem(String what) {
      String where = path.isEmpty() ? "the document" : path;
      return new UnreadableHealth(where + " " + (value == null ? "is missing" : what));
    }
  }
}
