package io.lapwing.agent.privacy;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.events.Event;
import io.lapwing.collect.Part;
import io.lapwing.collect.Source.NameOwner;
import io.lapwing.jobs.JobMetrics;
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
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Replaces the names of users, jobs, pods, models and programs where they enter the agent, so that
 * the metrics, the API, the UI, findings and events show the same. A pseudonym is {@code h} and the
 * first 48 bits of HMAC-SHA256 over the kind, a zero byte and the name: equal names have equal
 * pseudonyms. The name of a job beside its id is left out: any user can name a job, and so test a
 * guess. An unconfirmed name is preceded by its owner's uid and a zero byte, so that no other user
 * can test a guess by a training loop of that name. Thread-safe.
 */
public final class Privacy {

  /** Shows every name. */
  public static final Privacy OPEN = new Privacy(Settings.Privacy.OPEN, new byte[] {0});

  private static final String JOB = "job";
  private static final String JOB_NAME = "job_name";
  private static final String RUN = "run";
  private static final String MODEL = "model";
  private static final String COMMUNICATOR = "communicator";
  private static final String PROCESS = "process";

  /** The kind of name in each label. */
  private static final Map<String, String> KINDS =
      Map.ofEntries(
          Map.entry("job_id", JOB),
          Map.entry("hpc_job", JOB),
          Map.entry("job_name", JOB_NAME),
          Map.entry("run", RUN),
          Map.entry("user", "user"),
          Map.entry("account", "account"),
          Map.entry("partition", "partition"),
          Map.entry("pod", "pod"),
          Map.entry("pod_uid", "pod_uid"),
          Map.entry("namespace", "namespace"),
          Map.entry("container", "container"),
          Map.entry("dra_claim_name", "claim"),
          Map.entry("dra_claim_namespace", "namespace"),
          Map.entry("vm_id", "vm_id"),
          Map.entry("model", MODEL),
          Map.entry("comm_name", COMMUNICATOR));

  /** Without these, series of different jobs would be the same; hidden ones keep a pseudonym. */
  private static final Set<String> IDENTIFYING =
      Set.of(JOB, RUN, "pod", PROCESS, MODEL, COMMUNICATOR);

  /** Properties of a tenant's model. */
  private static final Set<String> OMITTED =
      Set.of(
          TrainingMetrics.FRAME.name(),
          TrainingMetrics.LOSS.name(),
          TrainingMetrics.GRADIENT_NORM.name(),
          TrainingMetrics.LEARNING_RATE.name());

  /** What each user has: where users are hidden, several of them would be one series. */
  private static final Set<String> OF_HOLDERS =
      Set.of(JobMetrics.HOLDER_MEMORY.name(), JobMetrics.HOLDER_SM.name());

  /** Names that no user chose, or of a user who is not known. */
  private static final Optional<NameOwner> SYSTEM = Optional.empty();

  /** In the name of a rank whose job or rank is unknown. */
  private static final String UNKNOWN = "-";

  private static final String RANK_SOURCE = TrainingSource.KIND + "-";

  private static final int PSEUDONYM_BYTES = 6;
  private static final int MAX_KNOWN = 2_000;
  private static final String ALGORITHM = "HmacSHA256";

  private final Settings.Privacy level;
  private final SecretKeySpec key;
  private final Map<String, String> known = new LinkedHashMap<>();
  private final PrivateEvents events =
      new PrivateEvents(name -> shown(PROCESS, name, SYSTEM), name -> shown(JOB, name, SYSTEM));

  public Privacy(Settings.Privacy level, byte[] key) {
    this.level = level;
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  public boolean isOpen() {
    return level == Settings.Privacy.OPEN;
  }

  /** Whether a family is not exposed at all. */
  boolean omits(Metric metric) {
    return (!isOpen() && OMITTED.contains(metric.name()))
        || (level == Settings.Privacy.HIDDEN && OF_HOLDERS.contains(metric.name()));
  }

  /** The labels to show; the same object if nothing of them is private. */
  Labels labels(Labels labels, Optional<NameOwner> owner) {
    if (isOpen() || labels.names().stream().noneMatch(KINDS::containsKey)) {
      return labels;
    }
    Optional<NameOwner> of = owner.or(() -> ownerIn(labels));
    List<String> values = new ArrayList<>(labels.values());
    for (int i = 0; i < values.size(); i++) {
      String kind = KINDS.get(labels.names().get(i));
      if (kind != null) {
        values.set(i, shown(kind, values.get(i), of));
      }
    }
    return new Labels(labels.names(), values);
  }

  /** Of a series that names the owner itself: a rank whose process has ended has no source. */
  private static Optional<NameOwner> ownerIn(Labels labels) {
    int owner = labels.names().indexOf("owner");
    int confirmed = labels.names().indexOf("job_confirmed");
    return owner < 0 || confirmed < 0
        ? Optional.empty()
        : Optional.of(
            new NameOwner(
                Long.parseLong(labels.values().get(owner)),
                labels.values().get(confirmed).equals("1")));
  }

  /** {@code training-4711-3}; other sources are named after hardware. */
  String source(String name, Optional<NameOwner> owner) {
    return isOpen() || !name.startsWith(RANK_SOURCE)
        ? name
        : RANK_SOURCE + shown(RUN, name.substring(RANK_SOURCE.length()), owner);
  }

  /** A rank, {@code 4711/3} or {@code 4711/3/run}; other parts are named after hardware. */
  Part part(Part part, Optional<NameOwner> owner) {
    String[] words = part.name().split("/", 3);
    if (isOpen() || !part.kind().equals(TrainingSource.KIND) || words.length < 2) {
      return part;
    }
    words[0] = shown(JOB, words[0], owner);
    if (words.length > 2) {
      words[2] = shown(RUN, words[2], owner);
    }
    return new Part(part.kind(), String.join("/", words), labels(part.labels(), owner));
  }

  /** Labels of jobs or pods by GPU. */
  public Map<String, List<Labels>> holders(Map<String, List<Labels>> byGpu) {
    if (isOpen()) {
      return byGpu;
    }
    Map<String, List<Labels>> shown = new HashMap<>();
    byGpu.forEach(
        (gpu, holders) ->
            shown.put(gpu, holders.stream().map(one -> labels(one, SYSTEM)).toList()));
    return shown;
  }

  /** An event with the names of jobs and programs replaced, in its text too. */
  public Event event(Event event) {
    return isOpen() ? event : events.of(event);
  }

  private String shown(String kind, String name, Optional<NameOwner> owner) {
    if (name.isEmpty() || name.equals(UNKNOWN)) {
      return name;
    }
    boolean hidden = level == Settings.Privacy.HIDDEN && !IDENTIFYING.contains(kind);
    return hidden || kind.equals(JOB_NAME) ? "" : pseudonym(kind + '\0' + of(kind, owner) + name);
  }

  /** Unconfirmed names are hashed with the uid, so that no other user can test a guess. */
  private static String of(String kind, Optional<NameOwner> owner) {
    boolean confirmed = kind.equals(JOB) && owner.filter(NameOwner::jobConfirmed).isPresent();
    boolean chosen = kind.equals(JOB) || kind.equals(RUN);
    return owner.filter(user -> chosen && !confirmed).map(user -> user.uid() + "\0").orElse("");
  }

  private synchronized String pseudonym(String text) {
    if (known.size() >= MAX_KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(text, this::hash);
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
