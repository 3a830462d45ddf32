package io.lapwing.drain.aws;

import io.lapwing.drain.aws.AwsApi.Reply;
import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.Repairs;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reboots and terminates EC2 instances. Its Auto Scaling group, node pool or scheduler starts the
 * new one, on the freed seat of a reservation that is full: a new one first would find none.
 */
public final class Ec2Repairs implements Repairs {

  private static final String VERSION = "2016-11-15";
  private static final Pattern CODE = Pattern.compile("<Code>([A-Za-z.]{1,80})</Code>");
  private static final Pattern MESSAGE = Pattern.compile("<Message>([^<]{0,400})</Message>");

  /** Throttled by EC2 in the body of a 503 or a 400. */
  private static final String THROTTLED = "RequestLimitExceeded";

  private final Retries retries;

  public Ec2Repairs(AwsApi ec2) {
    this(ec2, time -> Thread.sleep(time.toMillis()));
  }

  Ec2Repairs(AwsApi ec2, Retries.Pause pause) {
    this.retries = new Retries(ec2, pause);
  }

  @Override
  public CommandResult begin(Repair repair) {
    return switch (repair.remedy()) {
      case REBOOT_NODE -> Instance.of(repair, id -> call("RebootInstances", id));
      case REPLACE_NODE -> Instance.of(repair, id -> call("TerminateInstances", id));
      default -> new NotPossible("EC2 cannot " + repair.remedy().word());
    };
  }

  private CommandResult call(String action, String instance) {
    return retries.post(
        Map.of("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
        "Action=" + action + "&InstanceId.1=" + instance + "&Version=" + VERSION,
        reply -> meaning(action, reply));
  }

  private static CommandResult meaning(String action, Reply reply) {
    if (reply.isGood()) {
      return CommandResult.ACCEPTED;
    }
    String code = find(CODE, reply.body());
    String why =
        action + ": " + (code.isEmpty() ? "status " + reply.status() : code) + words(reply);
    if (reply.isThrottled() || code.equals(THROTTLED)) {
      return new NotYet(why);
    }
    return reply.isTransient() ? new Unclear(why) : new Refused(why);
  }

  private static String words(Reply reply) {
    String message = find(MESSAGE, reply.body());
    return message.isEmpty() ? "" : ": " + message;
  }

  private static String find(Pattern pattern, String body) {
    Matcher found = pattern.matcher(body);
    return found.find() ? found.group(1) : "";
  }
}
