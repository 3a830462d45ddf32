package io.lapwing.fuzz;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Objects;
import java.util.logging.LogManager;

/**
 * The entry point of the coverage-guided fuzzer. The target is set by {@code
 * -Dlapwing.fuzz.target}; its first inputs are written by {@link #main}.
 */
public final class JazzerTarget {

  private static final String NAME = System.getProperty("lapwing.fuzz.target", "");
  private static final Target.Body BODY = NAME.isEmpty() ? input -> {} : Targets.named(NAME).body();

  static {
    // Logging is slower than parsing and not needed here.
    LogManager.getLogManager().reset();
  }

  private JazzerTarget() {}

  /** One input; whatever comes out of it is a finding. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    BODY.feed(input);
  }

  /** Without a word it lists the targets; with a name and a folder it writes that one's inputs. */
  public static void main(String[] words) throws IOException, GeneralSecurityException {
    if (words.length == 0) {
      Targets.ALL.forEach(target -> System.out.println(target.name()));
      return;
    }
    Path folder = Files.createDirectories(Path.of(Objects.requireNonNull(words[1])));
    for (byte[] input : Repository.inputs(Targets.named(words[0]))) {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(input);
      String name = new BigInteger(1, hash).toString(16);
      Files.write(folder.resolve(name), input);
    }
  }
}
