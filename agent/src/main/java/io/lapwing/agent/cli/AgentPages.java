package io.lapwing.agent.cli;

import io.lapwing.agent.cli.AgentClient.AgentReply;
import io.lapwing.agent.cli.AgentClient.Wanted;
import java.util.Optional;

/**
 * The pages of the running agent, over its Unix socket, or else from its address if a permitted
 * user listens there, as {@code lapwing check} reads the health.
 */
public record AgentPages(
    AgentClient client,
    ServerOwner owner,
    Optional<AgentAddress> socket,
    Optional<AgentAddress> address) {

  /** A page, or why the agent did not send it. */
  public sealed interface Answer {

    /** The body and the name of the agent: {@code the agent at http://127.0.0.1:9754}. */
    record Page(String body, String by) implements Answer {}

    /** {@code answering}: a server answers, but not with the page. */
    record None(String why, boolean answering) implements Answer {}
  }

  /** A page such as {@code /api/v1/live?rates}. */
  public Answer get(String path) throws InterruptedException {
    if (socket.isPresent()) {
      AgentReply reply = ask(client, owner, socket.get(), Wanted.page(path));
      boolean unserved =
          reply instanceof AgentReply.Unreachable || reply instanceof AgentReply.Forged;
      if (!unserved || address.isEmpty()) {
        return answer(reply, socket.get());
      }
    }
    return address.isPresent()
        ? answer(ask(client, owner, address.get(), Wanted.page(path)), address.get())
        : new Answer.None("the agent's port is unknown", false);
  }

  private static Answer answer(AgentReply reply, AgentAddress where) {
    if (reply instanceof AgentReply.Body body) {
      return new Answer.Page(body.text(), "the agent at " + where);
    }
    if (reply instanceof AgentReply.Unusable unusable) {
      return new Answer.None("the agent at " + where + ": " + unusable.why(), true);
    }
    if (reply instanceof AgentReply.Forged forged) {
      String why = "another user may answer for the agent at " + where + ": " + forged.why();
      return new Answer.None(why, true);
    }
    String why = reply instanceof AgentReply.Unreachable none ? " (" + none.why() + ")" : "";
    return new Answer.None("no agent is reachable at " + where + why, false);
  }

  /**
   * Queries only a server of a permitted user. Checked again afterwards: another process may have
   * taken the port.
   */
  static AgentReply ask(AgentClient client, ServerOwner owner, AgentAddress where, Wanted wanted)
      throws InterruptedException {
    Optional<String> before = owner.objection(where);
    if (before.isPresent()) {
      return new AgentReply.Forged(before.get());
    }
    AgentReply reply = client.ask(where, wanted);
    if (reply instanceof AgentReply.Unreachable) {
      return reply;
    }
    Optional<String> after = owner.objectionToAnswer(where);
    return after.isPresent() ? new AgentReply.Forged(after.get()) : reply;
  }
}
