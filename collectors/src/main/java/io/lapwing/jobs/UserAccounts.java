package io.lapwing.jobs;

import io.lapwing.linux.SmallFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The account of a uid. With user namespaces a user has thousands of uids: those of the ranges that
 * {@code etc/subuid} gives him ({@code ada:100000:65536}) are of his account. A directory service
 * is not queried, as it may block. Not thread-safe.
 */
public final class UserAccounts implements LongFunction<String> {

  private static final int MAX_BYTES = 1 << 20;
  private static final Pattern RANGE =
      Pattern.compile("([^:\\s]{1,256}):(\\d{1,10}):(\\d{1,10})\\s*");

  private final Path subuid;
  private final UserNames names;
  private List<Range> ranges = List.of();
  private @Nullable FileTime modified;

  /** {@code count} uids from {@code first}, of a user by name or number. */
  private record Range(String user, long first, long count) {

    boolean has(long uid) {
      return uid >= first && uid - first < count;
    }
  }

  /** Of the system with this root directory. */
  public UserAccounts(Path root) {
    this.subuid = root.resolve("etc/subuid");
    this.names = new UserNames(root);
  }

  /** The name of the account; a number where it has none. */
  @Override
  public String apply(long uid) {
    readIfChanged();
    String owner =
        ranges.stream()
            .filter(range -> range.has(uid))
            .map(Range::user)
            .findFirst()
            .orElse(Long.toString(uid));
    return names.of(owner);
  }

  private void readIfChanged() {
    try {
      FileTime now = Files.getLastModifiedTime(subuid);
      if (!now.equals(modified)) {
        ranges =
            SmallFile.whole(subuid, MAX_BYTES)
                .toOptional()
                .map(UserAccounts::parse)
                .orElse(List.of());
        modified = now;
      }
    } catch (IOException notThere) {
      ranges = List.of();
      modified = null;
    }
  }

  private static List<Range> parse(String text) {
    List<Range> found = new ArrayList<>();
    text.lines().forEach(line -> range(line).ifPresent(found::add));
    return List.copyOf(found);
  }

  private static Optional<Range> range(String line) {
    Matcher fields = RANGE.matcher(line);
    return fields.matches()
        ? Optional.of(
            new Range(
                fields.group(1), Long.parseLong(fields.group(2)), Long.parseLong(fields.group(3))))
        : Optional.empty();
  }
}
