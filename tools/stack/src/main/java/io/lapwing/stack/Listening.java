package io.lapwing.stack;

import java.net.URI;
import java.util.regex.Pattern;

/** The address in the log of a server of the Prometheus family. */
final class Listening {

  private static final Pattern LINE = Pattern.compile("msg=\"Listening on\" address=(\\S+:\\d+)");

  private Listening() {}

  static URI awaited(ServerProcess process) {
    return URI.create("http://" + process.awaitLogged(LINE));
  }
}
