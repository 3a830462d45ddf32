package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The mount point of procfs, {@code /proc} on a plain host. */
public record ProcFs(Path path) {

  /** USER_HZ, the unit of {@link #startTicks}: the same on every architecture with NVIDIA GPUs. */
  public static final int TICKS_PER_SECOND = 100;

  private static final Pattern BTIME = Pattern.compile("btime (\\d{1,12})");
  private static final Pattern UPTIME = Pattern.compile("(\\d{1,12})\\.(\\d\\d) .*");

  /** The kernel escapes line feeds, but not carriage returns, in the program's name. */
  private static final Pattern UID = Pattern.compile("(?dm)^Uid:\\t(\\d{1,10})\\b");

  /** Outermost namespace first. */
  private static final Pattern INNER_PID =
      Pattern.compile("(?dm)^NSpid:\\t(?:\\d{1,10}\\t)*(\\d{1,10})$");

  private static final Pattern TICKS = Pattern.compile("\\d{1,18}");

  /** {@code btime} is rounded to a second, and the two files are not read at the same moment. */
  private static final Duration ROUNDING = Duration.ofSeconds(2);

  /** Field {@code starttime} of proc(5), counted from 1; the name of the program is field 2. */
  private static final int START_TIME = 22;

  private static final int CGROUP_BYTES = 16 * 1024;

  public Path process(long pid) {
    return path.resolve(Long.toString(pid));
  }

  /** Start of a process in clock ticks since boot: field 22 of {@code PID/stat}. */
  public Reading<Long> startTicks(long pid) {
    Path stat = process(pid).resolve("stat");
    return SmallFile.text(stat).flatMap(line -> startTicks(stat, line));
  }

  /** The letter of a process's state: field 3 of {@code PID/stat}. */
  public Reading<Character> state(long pid) {
    Path stat = process(pid).resolve("stat");
    return SmallFile.text(stat)
        .flatMap(
            line -> {
              int name = line.lastIndexOf(')');
              return name > 0 && line.length() > name + 2
                  ? Reading.of(line.charAt(name + 2))
                  : new Reading.Failed<>(stat.toString(), FileFailure.MALFORMED);
            });
  }

  /**
   * How long the main thread of a process was ready to run and waited for a processor, since its
   * start, in nanoseconds: field 2 of {@code PID/schedstat}. Missing on kernels without
   * CONFIG_SCHED_INFO.
   */
  public Reading<Long> runDelay(long pid) {
    Path file = process(pid).resolve("schedstat");
    return SmallFile.text(file)
        .flatMap(
            line -> {
              String[] fields = line.strip().split(" ", -1);
              return fields.length > 1 && TICKS.matcher(fields[1]).matches()
                  ? Reading.of(Long.parseLong(fields[1]))
                  : new Reading.Failed<>(file.toString(), FileFailure.MALFORMED);
            });
  }

  /** The owner of a process; missing if there is no such process. */
  public Reading<ProcessCgroup> cgroup(long pid) {
    return SmallFile.whole(process(pid).resolve("cgroup"), CGROUP_BYTES).map(ProcessCgroup::parse);
  }

  /** The real uid of a process, from {@code PID/status}. */
  public Reading<Long> uid(long pid) {
    Path status = process(pid).resolve("status");
    return SmallFile.text(status)
        .flatMap(
            text -> {
              Matcher line = UID.matcher(text);
              return line.find()
                  ? Reading.of(Long.parseLong(line.group(1)))
                  : new Reading.Failed<>(status.toString(), FileFailure.MALFORMED);
            });
  }

  /**
   * The pid of a process in its own PID namespace, the last of {@code NSpid} in {@code PID/status};
   * the same pid if the kernel does not report it.
   */
  public long innerPid(long pid) {
    return SmallFile.text(process(pid).resolve("status"))
        .toOptional()
        .map(INNER_PID::matcher)
        .filter(Matcher::find)
        .map(line -> Long.parseLong(line.group(1)))
        .orElse(pid);
  }

  /**
   * The names of the files that a process has mapped and that are wanted, without folders; fails
   * with {@code no_permission} unless the reader may trace the process.
   */
  public Reading<Set<String>> mapped(long pid, Predicate<String> wanted) {
    return MappedFiles.of(process(pid).resolve("maps"), wanted);
  }

  /** The start of {@code PID/environ}; needs the same permission as {@link #mapped}. */
  public Reading<byte[]> environ(long pid) {
    return SmallFile.head(process(pid).resolve("environ"), ProcessEnvironment.MAX_BYTES);
  }

  /**
   * The users whose processes listen on a TCP port, in the agent's own network namespace; empty
   * without a listener.
   */
  public Reading<Set<Long>> listeners(int port) {
    Path net = path.resolve("net");
    try {
      return Reading.of(
          TcpListeners.on(port, net).stream()
              .map(TcpListeners.TcpListener::uid)
              .collect(Collectors.toUnmodifiableSet()));
    } catch (IOException failed) {
      return FileFailure.reading(net.toString(), failed);
    }
  }

  /** The program's name may contain spaces and brackets, so fields count from its last bracket. */
  private static Reading<Long> startTicks(Path stat, String line) {
    int name = line.lastIndexOf(')');
    String[] fields = line.substring(name + 1).strip().split(" ", -1);
    int index = START_TIME - 3;
    return name > 0 && fields.length > index && TICKS.matcher(fields[index]).matches()
        ? Reading.of(Long.parseLong(fields[index]))
        : new Reading.Failed<>(stat.toString(), FileFailure.MALFORMED);
  }

  /**
   * The boot time by the current wall clock: {@link #bootSecond}, refined by {@code uptime} if the
   * two agree; in a copy of procfs the uptime does not advance.
   */
  public Reading<Instant> bootTime(InstantSource clock) {
    return bootSecond().map(boot -> refined(boot, clock));
  }

  /** {@code btime} of {@code stat}, in whole seconds; it is beyond the first page. */
  public Reading<Instant> bootSecond() {
    Path stat = path.resolve("stat");
    try (BufferedReader lines = Files.newBufferedReader(stat, StandardCharsets.ISO_8859_1)) {
      return lines
          .lines()
          .map(BTIME::matcher)
          .filter(Matcher::matches)
          .findFirst()
          .<Reading<Instant>>map(
              line -> Reading.of(Instant.ofEpochSecond(Long.parseLong(line.group(1)))))
          .orElseGet(() -> new Reading.Failed<>(stat.toString(), FileFailure.MALFORMED));
    } catch (IOException failed) {
      return FileFailure.reading(stat.toString(), failed);
    } catch (UncheckedIOException broken) {
      return new Reading.Failed<>(stat.toString(), FileFailure.IO);
    }
  }

  private Instant refined(Instant boot, InstantSource clock) {
    return SmallFile.text(path.resolve("uptime"))
        .toOptional()
        .flatMap(ProcFs::duration)
        .map(up -> clock.instant().minus(up))
        .filter(refined -> Duration.between(boot, refined).abs().compareTo(ROUNDING) < 0)
        .orElse(boot);
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
