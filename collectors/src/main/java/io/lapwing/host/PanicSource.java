package io.lapwing.host;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.linux.Folder;
import io.lapwing.linux.SmallFile;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kernel's last messages before a panic or an oops, which firmware kept (pstore), as a source;
 * systemd-pstore moves them to {@code /var/lib/systemd/pstore} at boot.
 *
 * <pre>
 * lapwing_host_panic_timestamp_seconds{record="dmesg-efi_pstore-176714880012001",reason="Kernel panic - not syncing: ..."} 1.76e9
 * </pre>
 *
 * The records are looked for at the start and then once an hour: a panic ends with a boot, and so
 * with a start of the agent.
 */
public final class PanicSource extends FixedSource {

  /** The kind of this part of the node, and the name of the source and of its collector. */
  public static final String PANICS = "host_panics";

  static final int MAX_RECORDS = 8;

  private static final int ROUNDS_BETWEEN = 60;
  private static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_EXAMINED = 200;
  private static final int MAX_REASON = 120;
  private static final Pattern RECORD = Pattern.compile("dmesg-[A-Za-z0-9_.-]{1,64}");
  private static final Pattern PANIC =
      Pattern.compile("(?:Kernel panic - not syncing|Unable to handle kernel|BUG|Oops)\\b[^\\n]*");

  /** A record in pstore, or a folder or file below systemd's copy. */
  private record Dump(String name, Instant at, String reason) {}

  private final Path pstore;
  private final Path moved;
  private List<Dump> records = List.of();
  private int rounds;

  public PanicSource(SysFs sys, Path rootfs) {
    super(PANICS, Part.whole(PANICS));
    add(PANICS, Cadence.SLOW, this::collect);
    this.pstore = sys.path().resolve("fs/pstore");
    this.moved = rootfs.resolve("var/lib/systemd/pstore");
  }

  @Override
  public Access begin(List<Collector> due) {
    if (rounds++ % ROUNDS_BETWEEN == 0) {
      records = find();
    }
    return Access.READY;
  }

  private void collect(SampleSink sink) {
    sink.add(HostMetrics.PANICS, Labels.NONE, records.size());
    for (Dump one : records) {
      Labels labels = Labels.of("record", one.name(), "reason", one.reason());
      sink.add(HostMetrics.PANIC_TIME, labels, (double) one.at().getEpochSecond());
    }
  }

  /** One record for each crash: the parts of a dump have the same second. */
  private List<Dump> find() {
    List<Path> files = new ArrayList<>(files(pstore));
    for (String name : names(moved, text -> text.matches("[A-Za-z0-9_.-]{1,64}"))) {
      Path inner = moved.resolve(name);
      files.addAll(RECORD.matcher(name).matches() ? List.of(inner) : below(inner));
    }
    List<Dump> found = new ArrayList<>();
    files.stream()
        .flatMap(
            file ->
                time(file).map(at -> new Dump(file.getFileName().toString(), at, "")).stream()
                    .map(record -> new Dump(record.name(), record.at(), reason(file))))
        .sorted(
            Comparator.comparing((Dump one) -> one.reason().startsWith("Kernel panic") ? 0 : 1)
                .thenComparing(Dump::at)
                .thenComparing(Dump::name))
        .forEach(
            record -> {
              if (found.stream().noneMatch(other -> isSameCrash(other, record))) {
                found.add(record);
              }
            });
    found.sort(Comparator.comparing(Dump::at).thenComparing(Dump::name).reversed());
    return List.copyOf(found.subList(0, Math.min(MAX_RECORDS, found.size())));
  }

  private static boolean isSameCrash(Dump one, Dump other) {
    return Math.abs(one.at().getEpochSecond() - other.at().getEpochSecond()) <= 60;
  }

  private static List<Path> below(Path folder) {
    List<Path> files = new ArrayList<>(files(folder));
    for (String name : names(folder, text -> text.matches("\\d{1,20}"))) {
      files.addAll(files(folder.resolve(name)));
    }
    return files;
  }

  private static List<Path> files(Path folder) {
    return names(folder, name -> RECORD.matcher(name).matches()).stream()
        .map(folder::resolve)
        .toList();
  }

  private static List<String> names(Path folder, java.util.function.Predicate<String> wanted) {
    return Folder.of(folder, wanted, MAX_EXAMINED)
        .toOptional()
        .map(Folder::names)
        .orElse(List.of());
  }

  private static Optional<Instant> time(Path file) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile()
          ? Optional.of(attributes.lastModifiedTime().toInstant())
          : Optional.empty();
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  /** The line with the panic, or else the first one: {@code Panic#1 Part1}. */
  private static String reason(Path file) {
    String text =
        SmallFile.head(file, MAX_BYTES)
            .toOptional()
            .map(bytes -> new String(bytes, StandardCharsets.ISO_8859_1))
            .orElse("");
    Matcher panic = PANIC.matcher(text);
    String line = panic.find() ? panic.group() : text.lines().findFirst().orElse("");
    String plain = line.replaceAll("[^ -~]", "?").strip();
    return plain.substring(0, Math.min(MAX_REASON, plain.length()));
  }
}
