package io.lapwing.lustre;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code timeouts} file: the time of the target's last reply, and the expected reply times.
 *
 * <pre>
 * last reply : 1690000000, 3s ago
 * network    : cur   1  worst   1 (at 1689990000, 10000s ago)    1   1   1   1
 * portal 6   : cur   1  worst  12 (at 1689995000, 5000s ago)    1   1   1   1
 * </pre>
 *
 * @param lastReply seconds since 1970; empty before the first reply
 * @param network current estimate for the network, in seconds
 * @param slowestPortal current estimate for the target's slowest service, in seconds
 */
record TimeoutsFile(OptionalLong lastReply, OptionalDouble network, OptionalDouble slowestPortal) {

  private static final Pattern REPLY = Pattern.compile("last reply : (-?\\d{1,40}), .*");
  private static final Pattern ESTIMATE =
      Pattern.compile("(network|portal \\d{1,10}) *: cur +(\\d{1,40}) +worst +\\d{1,40} .*");

  static TimeoutsFile parse(KernelText text) throws ParseFailure {
    Matcher reply = REPLY.matcher(text.lines().isEmpty() ? "" : text.lines().get(0));
    if (!reply.matches()) {
      throw text.failure(0, "not a last reply");
    }
    OptionalDouble network = OptionalDouble.empty();
    OptionalDouble slowest = OptionalDouble.empty();
    for (int i = 1; i < text.lines().size(); i++) {
      Matcher form = ESTIMATE.matcher(text.lines().get(i));
      OptionalDouble now =
          form.matches() ? KernelNumber.unsigned(form.group(2)) : OptionalDouble.empty();
      if (now.isEmpty()) {
        throw text.failure(i, "not an estimate");
      }
      if (form.group(1).equals("network")) {
        network = now;
      } else {
        slowest = OptionalDouble.of(Math.max(now.getAsDouble(), slowest.orElse(0)));
      }
    }
    return new TimeoutsFile(lastReply(reply.group(1)), network, slowest);
  }

  /** The kernel writes 0 before the first reply. */
  private static OptionalLong lastReply(String second) {
    OptionalLong time = KernelNumber.signed(second);
    return time.isPresent() && time.getAsLong() > 0 ? time : OptionalLong.empty();
  }
}
