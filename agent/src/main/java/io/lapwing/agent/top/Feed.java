package io.lapwing.agent.top;

import io.lapwing.agent.cli.AgentPages;
import io.lapwing.agent.cli.AgentPages.Answer;
import io.lapwing.agent.top.NodeFrame.UnreadableFrame;
import java.time.InstantSource;

/** Requests frames from the agent. Used by one thread at a time. */
final class Feed {

  private static final String LIVE = "/api/v1/live?rates";
  private static final String NODE = "/api/v1/node";

  private final AgentPages agent;
  private final InstantSource clock;

  /** It does not change while the agent runs. */
  private String instanceType = "";

  Feed(AgentPages agent, InstantSource clock) {
    this.agent = agent;
    this.clock = clock;
  }

  /** The state after one more request. */
  Watch next(Watch before) throws InterruptedException {
    Answer answer = agent.get(LIVE);
    if (answer instanceof Answer.None none) {
      return before.failed(none.why());
    }
    try {
      Answer.Page page = (Answer.Page) answer;
      return before.answered(NodeFrame.of(page.body(), instanceType()), clock.instant());
    } catch (UnreadableFrame unreadable) {
      return before.failed(String.valueOf(unreadable.getMessage()));
    }
  }

  private String instanceType() throws InterruptedException {
    if (instanceType.isEmpty() && agent.get(NODE) instanceof Answer.Page page) {
      try {
        instanceType = NodeFrame.instanceType(page.body());
      } catch (UnreadableFrame unknown) {
        return "";
      }
    }
    return instanceType;
  }
}
