package io.lapwing.simulator;

/** An invalid scenario file; the message names the file and the key. */
public final class ScenarioException extends Exception {
  private static final long serialVersionUID = 1;

  ScenarioException(String file, String key, String problem) {
    super(key.isEmpty() ? file + ": " + problem : file + ": " + key + ": " + problem);
  }
}
