package io.lapwing.node;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.fuzz.Target;
import io.lapwing.json.NotJson;
import java.io.IOException;
import java.util.List;

/** Responses of EC2's instance metadata service. */
public final class NodeTargets {

  private NodeTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("imds", NodeTargets::answer)
            .seeds(
                "[{\"NotBefore\":\"21 Jan 2019 09:00:43 GMT\",\"Code\":\"system-reboot\","
                    + "\"Description\":\"scheduled reboot\",\"EventId\":\"instance-event-0d5\","
                    + "\"NotAfter\":\"21 Jan 2019 09:17:23 GMT\",\"State\":\"active\"}]",
                "{\"action\": \"terminate\", \"time\": \"2017-09-18T08:22:00Z\"}",
                "p5.48xlarge",
                "[{\"a\":[1,-2.5e3,true,null,{\"b\":\"\\u00e9\"}]}]"));
  }

  private static void answer(String text) {
    Imds.ImdsItem.isName(text);
    ImdsEvents.instant(text);
    try {
      demand(ImdsEvents.maintenance(text).size() <= 20, "more events than the limit");
    } catch (IOException declared) {
      demand(declared instanceof NotJson, "not the declared failure");
    }
    try {
      ImdsEvents.spot(text);
    } catch (IOException declared) {
      demand(declared instanceof NotJson, "not the declared failure");
    }
  }
}
