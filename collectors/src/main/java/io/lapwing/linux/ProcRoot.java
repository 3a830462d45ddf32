package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where procfs is mounted.
 *
 * @param path {@code /proc} on a plain host
 */
public record ProcRoot(Path path) {

  private static final Pattern BTIME = Pattern.compile("btime (\\d{1,12})");
  private static final Pattern UPTIME = Pattern.compile("(\\d{1,12})\\.(\\d\\d) .*");

  /** {@code btime} is a whole second, and both files are not read at one moment. */
  private static final Duration ROUNDING = Duration.ofSeconds(2);

  /**
   * When the machine was booted, by the wall clock of now: {@code btime} of {@code stat}. {@code
   * uptime} makes it finer where the two agree; in a folder that only looks like procfs the uptime
   * stands still.
   */
  public Reading<Instant> bootTime(InstantSource clock) {
    return btime().map(told -> finer(told, clock));
  }

  /** The line stands behind those of the processors and of the interrupts, beyond one page. */
  private Reading<Instant> btime() {
    Path stat = path.resolve("stat");
    try (BufferedReader lines = Files.newBufferedReader(stat, StandardCharsets.ISO_8859_1)) {
      return lines
          .lines()
          .map(BTIME::matcher)
          .filter(Matcher::matches)
          .findFirst()
          .<Reading<Instant>>map(
              line -> Reading.of(Instant.ofEpochSecond(Long.parseLong(line.group(1)))))
          .orElseGet(() -> new Reading.Failed<>(stat.toString(), "malformed"));
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(stat.toString());
    } catch (AccessDeniedException denied) {
      return new Reading.Failed<>(stat.toString(), "no_permission");
    } catch (IOException | UncheckedIOException broken) {
      return new Reading.Failed<>(stat.toString(), "io");
    }
  }

  private Instant finer(Instant told, InstantSource clock) {
    return KernelFile.text(path.resolve("uptime"))
        .toOptional()
        .flatMap(ProcRoot::duration)
        .map(up -> clock.instant().minus(up))
        .filter(booted -> Duration.between(told, booted).abs().compareTo(ROUNDING) < 0)
        .orElse(told);
  }

  private static Optional<Duration> duration(String uptime) {
    Matcher form = UPTIME.matcher(uptime);
    return form.matches()
        ? Optional.of(
            Duration.ofSeconds(Long.parseLong(form.group(1)))
                .plusMillis(10 * Long.parseLong(form.group(2))))
        : Optional.empty();
  }
}
