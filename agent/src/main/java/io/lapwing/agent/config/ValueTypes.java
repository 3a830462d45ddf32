package io.lapwing.agent.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** The types of value that options have. */
final class ValueTypes {
  private static final Pattern URL_PATH = Pattern.compile("/|(?:/[A-Za-z0-9._~-]+)++");

  static final ValueType<Boolean> SWITCH = ValueType.of("", ValueTypes::parseSwitch);
  static final ValueType<Integer> COUNT = ValueType.of("COUNT", ValueTypes::parseCount);
  static final ValueType<OptionalInt> COUNT_OR_AUTO =
      ValueType.of("auto|COUNT", ValueTypes::parseCountOrAuto);
  static final ValueType<String> TEXT = ValueType.of("TEXT", text -> text);
  static final ValueType<Duration> DURATION = ValueType.of("DURATION", DurationText::parse);
  static final ValueType<String> URL = ValueType.of("URL-PATH", ValueTypes::parseUrlPath);
  static final ValueType<Path> DIRECTORY = ValueType.of("DIR", PathText::directory);
  static final ValueType<Path> FILE = ValueType.of("FILE", PathText::file);
  static final ValueType<Optional<Path>> LIBRARY =
      ValueType.of("FILE", text -> optional(text, PathText::file));
  static final ValueType<Optional<Path>> READABLE_FILE =
      ValueType.of("FILE", text -> optional(text, PathText::readableFile));
  static final ValueType<List<ListenAddress>> LISTEN_ADDRESSES =
      new ValueType<>("ADDRESS", true, ValueTypes::parseAddresses);

  static final ValueType<Optional<URI>> SERVICE = ValueType.of("URL|off", ValueTypes::parseService);

  static final ValueType<Optional<Path>> OPTIONAL_DIRECTORY =
      ValueType.of("DIR", text -> optional(text, PathText::directory));
  static final ValueType<InferenceTargets> INFERENCE_TARGETS =
      ValueType.of("auto|off|URL,...", InferenceTargets::parse);
  static final ValueType<Optional<RasAddress>> RAS_ADDRESS =
      ValueType.of("auto|off|HOST:PORT", RasAddress::parse);

  private ValueTypes() {}

  /** One of the constants of an enum, each written as its {@code toString}. */
  static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type) {
    List<E> choices = List.of(type.getEnumConstants());
    List<String> words = choices.stream().map(Enum::toString).toList();
    return ValueType.of(
        String.join("|", words),
        text -> {
          int index = words.indexOf(text);
          if (index < 0) {
            throw new BadValue("is not one of " + String.join(", ", words));
          }
          return choices.get(index);
        });
  }

  private static <T> Optional<T> optional(String text, ValueType.Parser<T> parser) throws BadValue {
    return text.isEmpty() ? Optional.empty() : Optional.of(parser.parse(text));
  }

  private static boolean parseSwitch(String text) throws BadValue {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new BadValue("is neither true nor false");
    };
  }

  private static int parseCount(String text) throws BadValue {
    try {
      int count = Integer.parseInt(text);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a negative one.
    }
    throw new BadValue("is not a whole number of 0 or more");
  }

  private static OptionalInt parseCountOrAuto(String text) throws BadValue {
    if (text.equals("auto")) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(parseCount(text));
    } catch (BadValue e) {
      throw new BadValue("is neither auto nor a whole number of 0 or more");
    }
  }

  private static String parseUrlPath(String text) throws BadValue {
    if (!URL_PATH.matcher(text).matches()) {
      throw new BadValue("is not a URL path such as /metrics");
    }
    if (text.startsWith("/-/") || text.startsWith("/api/")) {
      throw new BadValue("is a page of its own");
    }
    return text;
  }

  private static Optional<URI> parseService(String text) throws BadValue {
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
      // Said below, as for one that names more than a host.
    }
    throw new BadValue("is neither off nor a URL such as http://169.254.169.254");
  }

  private static List<ListenAddress> parseAddresses(String text) throws BadValue {
    List<ListenAddress> addresses = new ArrayList<>();
    for (String part : Arrays.asList(text.split(",", -1))) {
      addresses.add(
          ListenAddress.parse(part.strip())
              .orElseThrow(
                  () ->
                      new BadValue(
                          "is not an address such as :9754, 127.0.0.1:9754 or [::1]:9754")));
    }
    return List.copyOf(addresses);
  }
}
