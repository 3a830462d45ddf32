package io.lapwing.drain.jobs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Dollars for a GPU and hour, by instance type. Lines of {@code type,price}; a line that begins
 * with # is a comment.
 */
public record Prices(Map<String, Double> byType) {

  public static final Prices NONE = new Prices(Map.of());

  public Prices {
    byType = Map.copyOf(byType);
  }

  /** The shipped list: an example. */
  public static Prices example() throws IOException {
    try (InputStream list = Prices.class.getResourceAsStream("prices.csv")) {
      byte[] bytes = Objects.requireNonNull(list).readAllBytes();
      return parse("prices.csv", new String(bytes, StandardCharsets.UTF_8).lines().toList());
    }
  }

  /**
   * The list of a site.
   *
   * @throws IOException if it cannot be read, naming the file and the line
   */
  public static Prices read(Path file) throws IOException {
    return parse(file.toString(), Files.readAllLines(file));
  }

  private static Prices parse(String name, List<String> lines) throws IOException {
    Map<String, Double> byType = new HashMap<>();
    int number = 0;
    for (String line : lines) {
      number++;
      if (!line.isBlank() && !line.startsWith("#") && !add(line.split(",", -1), byType)) {
        throw new IOException(
            name + ":" + number + ": needs an instance type, a comma and a positive price, once");
      }
    }
    return new Prices(byType);
  }

  private static boolean add(String[] fields, Map<String, Double> byType) {
    try {
      double price = fields.length == 2 ? Double.parseDouble(fields[1].strip()) : 0;
      return price > 0
          && Double.isFinite(price)
          && !fields[0].isBlank()
          && byType.put(fields[0].strip(), price) == null;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Empty if the list does not have it. */
  public OptionalDouble of(String instanceType) {
    Double price = byType.get(instanceType);
    return price == null ? OptionalDouble.empty() : OptionalDouble.of(price);
  }
}
