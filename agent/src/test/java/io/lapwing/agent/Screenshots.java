package io.lapwing.agent;

import io.lapwing.agent.browser.Tab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Pictures for the documents, where somebody asks for them; otherwise nothing. */
record Screenshots(Optional<Path> folder) {

  /** Long enough for lines with a shape. */
  private static final Duration SETTLED = Duration.ofSeconds(45);

  static Screenshots asked() {
    return new Screenshots(
        Optional.ofNullable(System.getProperty("lapwing.screenshots")).map(Path::of));
  }

  /** Waits until plots show something, for pictures only. */
  void settle() throws InterruptedException {
    if (folder.isPresent()) {
      Thread.sleep(SETTLED.toMillis());
    }
  }

  void take(Tab tab, String name) throws IOException {
    if (folder.isPresent()) {
      tab.evaluate("scrollTo(0, 0)");
      Files.createDirectories(folder.get());
      Files.write(folder.get().resolve(name + ".png"), tab.screenshot(false));
    }
  }
}
