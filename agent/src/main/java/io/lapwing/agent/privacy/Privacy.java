package io.lapwing.agent.privacy;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.collect.Part;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces the names of users, jobs, pods and programs where they enter the agent, so that the
 * metrics, the API, the UI, findings and events show the same. A pseudonym is {@code h} and the
 * first 48 bits of HMAC-SHA256 over the kind, a zero byte and the name: equal names have equal
 * pseudonyms. A guess can be tested with the key, or by a training loop of that name on a node with
 * the key. Thread-safe.
 */
public final class Privacy {

  /** Shows every name. */
  public static final Privacy OPEN = new Privacy(Settings.Privacy.OPEN, new byte[] {0});

  private static final String JOB = "job";
  private static final String PROCESS = "process";

  /** The kind of name in each label. */
  private static final Map<String, String> KINDS =
      Map.of(
          "job_id", JOB,
          "hpc_job", JOB,
          "run", "run",
          "user", "user",
          "account", "account",
          "partition", "partition",
          "pod", "pod",
          "namespace", "namespace",
          "container", "container");

  /** Without these, series of different jobs would be the same; hidden ones keep a pseudonym. */
  private static final Set<String> IDENTIFYING = Set.of(JOB, "run", "pod", PROCESS);

  /** What a tenant's model does. */
  private static final Set<String> OMITTED =
      Set.of(
          TrainingMetrics.LOSS.name(),
          TrainingMetrics.GRADIENT_NORM.name(),
          TrainingMetrics.LEARNING_RATE.name());

  private static final String RANK_SOURCE = TrainingSource.KIND + "-";

  /** As the driver writes the name of a program. */
  private static final Pattern NAMED = Pattern.compile("\\bname=([^,]+)");

  /** As file systems write it: {@code comm NAME: reading directory lblock 0}. */
  private static final Pattern COMMAND = Pattern.compile("\\bcomm ([^:]{1,16})");

  /** As the OOM killer writes it. */
  private static final Pattern USER_ID = Pattern.compile(" ?\\b(?:UID:|uid=)\\d+,?");

  private static final int PSEUDONYM_BYTES = 6;
  private static final String PSEUDONYM = "h[0-9a-f]{" + 2 * PSEUDONYM_BYTES + "}";
  private static final int MAX_KNOWN = 2_000;
  private static final String ALGORITHM = "HmacSHA256";

  private final Settings.Privacy level;
  private final SecretKeySpec key;
  private final Map<String, String> known = new LinkedHashMap<>();

  public Privacy(Settings.Privacy level, byte[] key) {
    this.level = level;
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  public boolean isOpen() {
    return level == Settings.Privacy.OPEN;
  }

  /** Whether a family is not exposed at all. */
  boolean omits(Metric metric) {
    return !isOpen() && OMITTED.contains(metric.name());
  }

  /** The labels to show; the same object if nothing of them is private. */
  Labels labels(Labels labels) {
    if (isOpen() || labels.names().stream().noneMatch(KINDS::containsKey)) {
      return labels;
    }
    List<String> values = new ArrayList<>(labels.values());
    for (int i = 0; i < values.size(); i++) {
      String kind = KINDS.get(labels.names().get(i));
      if (kind != null) {
        values.set(i, shown(kind, values.get(i)));
      }
    }
    return new Labels(labels.names(), values);
  }

  /** {@code training-4711-3}; other sources are named after hardware. */
  String source(String name) {
    return isOpen() || !name.startsWith(RANK_SOURCE)
        ? name
        : RANK_SOURCE + shown(JOB, name.substring(RANK_SOURCE.length()));
  }

  /** A rank, {@code 4711/3}; other parts are named after hardware. */
  Part part(Part part) {
    int slash = part.name().lastIndexOf('/');
    return isOpen() || !part.kind().equals(TrainingSource.KIND) || slash < 0
        ? part
        : new Part(
            part.kind(),
            shown(JOB, part.name().substring(0, slash)) + part.name().substring(slash),
            labels(part.labels()));
  }

  /** Jobs by GPU. */
  public Map<String, List<String>> jobs(Map<String, List<String>> byGpu) {
    if (isOpen()) {
      return byGpu;
    }
    Map<String, List<String>> shown = new HashMap<>();
    byGpu.forEach(
        (gpu, jobs) -> shown.put(gpu, jobs.stream().map(job -> shown(JOB, job)).toList()));
    return shown;
  }

  /** An event with the name of its program replaced, in its text too. */
  public Event event(Event event) {
    if (isOpen()) {
      return event;
    }
    if (event instanceof Event.Xid xid) {
      Matcher named = NAMED.matcher(xid.message());
      String message = named.replaceAll(name -> "name=" + once(name.group(1)));
      return xid.by(once(xid.process()), message);
    }
    if (event instanceof Event.HostFault fault) {
      String process = once(fault.process());
      String message = fault.message();
      if (!fault.process().isEmpty()) {
        message = message.replace(fault.process(), process);
      }
      message = COMMAND.matcher(message).replaceAll(name -> "comm " + once(name.group(1)));
      return fault.by(process, USER_ID.matcher(message).replaceAll(""));
    }
    return event;
  }

  /** Events are read again from the log, with pseudonyms for names. */
  private String once(String name) {
    return name.matches(PSEUDONYM) ? name : shown(PROCESS, name);
  }

  private String shown(String kind, String name) {
    if (name.isEmpty()) {
      return name;
    }
    return level == Settings.Privacy.HIDDEN && !IDENTIFYING.contains(kind)
        ? ""
        : pseudonym(kind, name);
  }

  private synchronized String pseudonym(String kind, String name) {
    if (known.size() >= MAX_KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(kind + '\0' + name, this::hash);
  }

  private String hash(String text) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] code = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return "h" + HexFormat.of().formatHex(code, 0, PSEUDONYM_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is missing", e);
    }
  }
}
