package io.lapwing.linux;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Variables of {@code /proc/PID/environ}: those with which the process was started. The user may
 * overwrite them, and the read may cut off the last one, which is ignored.
 */
public final class ProcessEnvironment {

  /** An environment may be megabytes long. */
  static final int MAX_BYTES = 128 * 1024;

  private final Set<String> names;
  private final Set<Byte> initials = new HashSet<>();

  /** Of these variables only. */
  public ProcessEnvironment(Set<String> names) {
    this.names = Set.copyOf(names);
    names.forEach(name -> initials.add((byte) name.charAt(0)));
  }

  /** The values by name; of a name that is there twice, the last. */
  public Map<String, String> parse(byte[] environ) {
    Map<String, String> values = new HashMap<>();
    int from = 0;
    for (int at = 0; at < environ.length; at++) {
      if (environ[at] == 0) {
        if (initials.contains(environ[from])) {
          put(new String(environ, from, at - from, StandardCharsets.UTF_8), values);
        }
        from = at + 1;
      }
    }
    return values;
  }

  private void put(String word, Map<String, String> values) {
    int equals = word.indexOf('=');
    if (equals > 0 && names.contains(word.substring(0, equals))) {
      values.put(word.substring(0, equals), word.substring(equals + 1));
    }
  }
}
