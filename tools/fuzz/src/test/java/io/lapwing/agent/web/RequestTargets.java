package io.lapwing.agent.web;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.agent.metrics.Negotiation;
import io.lapwing.agent.web.EventsPage.EventFilter;
import io.lapwing.agent.web.MetricsPage.CollectorFilter;
import io.lapwing.common.web.Page.Query;
import io.lapwing.common.web.security.Credentials;
import io.lapwing.fuzz.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** HTTP requests to the agent, and responses to {@code lapwing check}. */
public final class RequestTargets {

  private static final Instant NOW = Instant.parse("2026-11-21T00:00:00Z");

  private RequestTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("request", RequestTargets::request)
            .seeds(
                "since=90m&limit=10&kind=xid",
                "since=2026-11-20T03:00:00Z",
                "collect[]=gpu&collect[]=node",
                "exclude[]=gpu",
                "Basic cHJvbWV0aGV1czpzZWNyZXQ=",
                "application/openmetrics-text;version=1.0.0;q=0.8,text/plain;version=0.0.4;q=0.5",
                "gzip;q=1.0, identity; q=0.5, *;q=0"),
        Target.ofBytes("health-answer", RequestTargets::answer)
            .seeds(
                """
                {"verdict": "failing", "action": "replace_node", "urgency": "now",
                 "since": "2026-11-20T03:12:44Z", "at": "2026-11-20T05:18:00Z", "summary": "s",
                 "profile": "aws", "simulated": false,
                 "gpus": [{"index": 3, "uuid": "GPU-1", "pci": "0000:64:00", "verdict": "failing",
                   "action": "replace_node", "since": "2026-11-20T03:12:44Z"}],
                 "findings": [{"rule": "xid_79", "subject": "gpu:GPU-1", "severity": "failing",
                   "action": "replace_node", "urgency": "now", "since": "2026-11-20T03:12:44Z",
                   "last": "2026-11-20T03:12:44Z", "times": 1, "what": "a", "why": "b",
                   "document": "c", "sources": ["kernel log"]}],
                 "unwatched": ["x"],
                 "slow": [{"subject": "training:4711/3", "cause": "input", "lost_seconds": 21.4,
                   "of_seconds": 58.9, "sentence": "d"}]}
                """));
  }

  private static void request(String text) {
    Query query = new Parameters(parameters(text));
    EventFilter.of(query, NOW);
    CollectorFilter.of(query, Set.of("gpu", "node"));
    Negotiation.format(text);
    Negotiation.gzip(text);
    Credentials.of(text).ifPresent(login -> demand(!login.toString().isEmpty(), "no words"));
  }

  private static Map<String, List<String>> parameters(String text) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String one : text.split("&", -1)) {
      int equals = one.indexOf('=');
      String name = equals < 0 ? one : one.substring(0, equals);
      parameters
          .computeIfAbsent(name, unseen -> new ArrayList<>())
          .add(equals < 0 ? "" : one.substring(equals + 1));
    }
    return parameters;
  }

  private static void answer(byte[] input) {
    try {
      HealthJson.write(HealthJson.read(input));
    } catch (HealthJson.UnreadableHealth declared) {
      demand(!String.valueOf(declared.getMessage()).isEmpty(), "no words");
    }
  }

  private record Parameters(Map<String, List<String>> all) implements Query {
    @Override
    public @Nullable String header(String name) {
      return null;
    }

    @Override
    public Set<String> names() {
      return all.keySet();
    }

    @Override
    public List<String> parameters(String name) {
      return all.getOrDefault(name, List.of());
    }
  }
}
