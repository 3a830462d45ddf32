package io.lapwing.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LoggingTest {

  @Test
  void ownRecordsAndThoseOfLibrariesGoToStandardError() {
    String said =
        saidAt(
            LogLevel.INFO,
            () -> {
              Log.of(LoggingTest.class).info("listening", "port", 9754);
              Log.of(LoggingTest.class).debug("unheard");
              LoggerFactory.getLogger("some.library").info("{} of {}", 1, 2);
            });

    assertThat(said.lines())
        .satisfiesExactly(
            line -> assertThat(line).endsWith(" level=info msg=listening port=9754"),
            line -> assertThat(line).endsWith(" level=info msg=\"1 of 2\""));
  }

  @Test
  void theWebServerLogsWarningsOnly() {
    String said =
        saidAt(
            LogLevel.DEBUG,
            () -> {
              LoggerFactory.getLogger("org.eclipse.jetty.server.Server").info("started");
              LoggerFactory.getLogger("io.javalin.Javalin").info("started");
              LoggerFactory.getLogger("io.javalin.Javalin").warn("trouble");
            });

    assertThat(said.lines())
        .singleElement()
        .satisfies(line -> assertThat(line).endsWith(" level=warn msg=trouble"));
  }

  private static String saidAt(LogLevel level, Runnable talk) {
    PrintStream real = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Logging.start(new LogSettings(level, LogFormat.LOGFMT));
      talk.run();
    } finally {
      System.setErr(real);
      Logging.start(LogSettings.DEFAULT);
    }
    return said.toString(StandardCharsets.UTF_8);
  }
}
