package io.lapwing.agent.scrape;

import java.util.List;

/** One family of {@link SelfRegistry}, under the name that its samples have on the page. */
public record OwnFamily(String name, String type, String help, List<String> labels) {

  public OwnFamily {
    labels = List.copyOf(labels);
  }
}
