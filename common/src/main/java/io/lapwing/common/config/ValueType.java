package io.lapwing.common.config;

import io.lapwing.common.text.Redaction;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** The type of an option's value. The texts of a repeatable flag are joined with commas. */
public record ValueType<T>(String placeholder, boolean repeatable, Parser<T> parser) {
  private static final Pattern URL_PATH = Pattern.compile("/|(?:/[A-Za-z0-9._~-]+)++");
  private static final Pattern RESERVED_PATH = Pattern.compile("^/(?:-/|api/|ui(?:/|$))");
  private static final Pattern DOT_SEGMENT = Pattern.compile("/\\.\\.?(?:/|$)");
  private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9:_.@\\\\-]{1,128}");
  private static final Pattern UNIT_TYPE =
      Pattern.compile("\\.(?:service|socket|mount|timer|target|path|device|swap|slice|scope)$");
  private static final Pattern HOST_NAME =
      Pattern.compile("(?:\\*\\.)?[A-Za-z0-9_-]{1,63}(?:\\.[A-Za-z0-9_-]{1,63}){0,30}");

  /** Braces are for placeholders. */
  private static final Pattern LINK_FORM =
      Pattern.compile("https?://[A-Za-z0-9._:\\[\\]-]{1,255}(?:/[!#-;=?-\\[\\]_a-~]{0,1000})?");

  /** Placeholders of values that may be a URL with secrets. */
  private static final Set<String> URLS = Set.of("URL", "URL|off", "auto|off|URL,...");

  private static final int MAX_UNITS = 50;

  public static final ValueType<Boolean> BOOLEAN = of("", ValueType::parseBoolean);
  public static final ValueType<Integer> COUNT = of("COUNT", ValueType::parseCount);
  public static final ValueType<OptionalInt> COUNT_OR_AUTO =
      of("auto|COUNT", ValueType::parseCountOrAuto);
  public static final ValueType<String> TEXT = of("TEXT", text -> text);
  public static final ValueType<Duration> DURATION = of("DURATION", DurationText::parse);
  public static final ValueType<String> URL = of("URL-PATH", ValueType::parseUrlPath);
  public static final ValueType<Path> DIRECTORY = of("DIR", ValueType::directory);
  public static final ValueType<Path> FILE = of("FILE", ValueType::file);
  public static final ValueType<Optional<Path>> OPTIONAL_DIRECTORY =
      of("DIR", text -> optional(text, ValueType::directory));
  public static final ValueType<Optional<Path>> OPTIONAL_PATH =
      of("PATH", text -> optional(text, ValueType::path));
  public static final ValueType<Optional<Path>> OPTIONAL_FILE =
      of("FILE", text -> optional(text, ValueType::file));
  public static final ValueType<Optional<Path>> READABLE_FILE =
      of("FILE", text -> optional(text, ValueType::readableFile));

  /** Exists, but a command of another user than the agent's may not be allowed to read it. */
  public static final ValueType<Optional<Path>> AGENTS_FILE =
      of("FILE", text -> optional(text, ValueType::existingFile));

  public static final ValueType<List<ListenAddress>> LISTEN_ADDRESSES =
      new ValueType<>("ADDRESS", true, ValueType::parseAddresses);
  public static final ValueType<List<String>> UNITS =
      new ValueType<>("UNIT", true, ValueType::parseUnits);
  public static final ValueType<List<String>> HOST_NAMES =
      new ValueType<>("NAME", true, ValueType::parseHostNames);
  public static final ValueType<Optional<URI>> SERVICE = of("URL|off", ValueType::parseService);
  public static final ValueType<String> LINK = of("URL", ValueType::parseLink);

  public interface Parser<T> {
    T parse(String text) throws Invalid;
  }

  /** A text that is not a value of the type. The message continues {@code "'text' ..."}. */
  public static final class Invalid extends Exception {

    public Invalid(String message) {
      // Expected, and shown without a stack trace.
      super(message, null, false, false);
    }

    public String text() {
      return String.valueOf(getMessage());
    }
  }

  public static <T> ValueType<T> of(String placeholder, Parser<T> parser) {
    return new ValueType<>(placeholder, false, parser);
  }

  /** One of the constants of an enum, each written as its {@code toString}. */
  public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
    List<E> choices = List.of(type.getEnumConstants());
    List<String> words = choices.stream().map(Enum::toString).toList();
    return of(
        String.join("|", words),
        text -> {
          int index = words.indexOf(text);
          if (index < 0) {
            throw new Invalid("is not one of " + String.join(", ", words));
          }
          return choices.get(index);
        });
  }

  public T parse(String text) throws Invalid {
    return parser.parse(text);
  }

  /** A value, valid or not, without secrets. */
  public String shown(String text) {
    return Redaction.of(URLS.contains(placeholder) ? Redaction.url(text) : text);
  }

  private static <T> Optional<T> optional(String text, Parser<T> parser) throws Invalid {
    return text.isEmpty() ? Optional.empty() : Optional.of(parser.parse(text));
  }

  private static List<String> parseHostNames(String text) throws Invalid {
    List<String> names = new ArrayList<>();
    for (String name : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      if (!HOST_NAME.matcher(name).matches()) {
        throw new Invalid("is not a list of host names such as gpu7.example.com or *.example.com");
      }
      names.add(name.toLowerCase(Locale.ROOT));
    }
    return List.copyOf(names);
  }

  private static boolean parseBoolean(String text) throws Invalid {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new Invalid("is neither true nor false");
    };
  }

  public static OptionalInt number(String text) {
    try {
      return OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  private static int parseCount(String text) throws Invalid {
    OptionalInt count = number(text);
    if (count.isEmpty() || count.getAsInt() < 0) {
      throw new Invalid("is not a whole number of 0 or more");
    }
    return count.getAsInt();
  }

  private static OptionalInt parseCountOrAuto(String text) throws Invalid {
    OptionalInt count = number(text);
    if (!text.equals("auto") && (count.isEmpty() || count.getAsInt() < 0)) {
      throw new Invalid("is neither auto nor a whole number of 0 or more");
    }
    return count;
  }

  private static String parseUrlPath(String text) throws Invalid {
    if (!URL_PATH.matcher(text).matches()) {
      throw new Invalid("is not a URL path such as /metrics");
    }
    if (RESERVED_PATH.matcher(text).find()) {
      throw new Invalid("is reserved: /-/, /api/ and /ui have their own endpoints");
    }
    if (DOT_SEGMENT.matcher(text).find()) {
      throw new Invalid("has a segment of dots, which clients resolve");
    }
    return text;
  }

  private static Optional<URI> parseService(String text) throws Invalid {
    if (text.isEmpty() || text.equals("off")) {
      return Optional.empty();
    }
    try {
      URI url = new URI(text);
      if ("http".equals(url.getScheme())
          && url.getHost() != null
          && url.getUserInfo() == null
          && url.equals(new URI("http://" + url.getRawAuthority()))) {
        return Optional.of(url);
      }
    } catch (URISyntaxException e) {
      // Falls through to the error for a URL that names more than a host.
    }
    throw new Invalid("is neither off nor a URL such as http://169.254.169.254");
  }

  private static String parseLink(String text) throws Invalid {
    if (!text.isEmpty() && !LINK_FORM.matcher(text).matches()) {
      throw new Invalid("is not a URL such as https://wiki.example.com/gpu");
    }
    return text;
  }

  private static List<ListenAddress> parseAddresses(String text) throws Invalid {
    List<ListenAddress> addresses = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      addresses.add(
          ListenAddress.parse(part.strip())
              .orElseThrow(
                  () ->
                      new Invalid(
                          "is not an address such as :9754, 127.0.0.1:9754, [::1]:9754 or"
                              + " unix:/PATH")));
    }
    if (addresses.stream().allMatch(address -> address.socket().isPresent())) {
      // Its selector serves the Unix sockets too.
      throw new Invalid("needs an address of TCP as well, such as 127.0.0.1:9754");
    }
    return List.copyOf(addresses);
  }

  /** Full names; a name without a type is a service. */
  private static List<String> parseUnits(String text) throws Invalid {
    Set<String> units = new LinkedHashSet<>();
    for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      String unit = part.strip();
      if (!UNIT.matcher(unit).matches()) {
        throw new Invalid("is not a list of systemd units such as slurmd,kubelet.service");
      }
      units.add(UNIT_TYPE.matcher(unit).find() ? unit : unit + ".service");
    }
    if (units.size() > MAX_UNITS) {
      throw new Invalid("has more than " + MAX_UNITS + " units");
    }
    return List.copyOf(units);
  }

  /** A path that does not exist is accepted: it may appear later, and the agent reports it. */
  private static Path directory(String text) throws Invalid {
    Path path = path(text);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new Invalid("is not a directory");
    }
    return path;
  }

  private static Path file(String text) throws Invalid {
    Path path = path(text);
    if (Files.isDirectory(path)) {
      throw new Invalid("is a directory, not a file");
    }
    return path;
  }

  private static Path existingFile(String text) throws Invalid {
    Path path = file(text);
    if (Files.notExists(path)) {
      throw new Invalid("does not exist");
    }
    return path;
  }

  private static Path readableFile(String text) throws Invalid {
    Path path = file(text);
    if (!Files.exists(path)) {
      throw new Invalid("does not exist");
    }
    if (!Files.isReadable(path)) {
      throw new Invalid("cannot be read: permission denied");
    }
    return path;
  }

  private static Path path(String text) throws Invalid {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      // Falls through to the error for an empty path.
    }
    throw new Invalid("is not a path");
  }
}
