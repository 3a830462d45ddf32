package io.lapwing.stack;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Options of {@link DemoMain}, as {@code --name=value}.
 *
 * @param repository the clone with the rules, routing and runbooks
 * @param folder for all files
 * @param address of the agent, {@code http://HOST:PORT} or {@code https://HOST:PORT}
 * @param node name of the node
 * @param patience if given, the maximum group_wait and group_interval of all routes
 * @param automation if given, the webhook of the receiver {@code automation}
 */
record DemoOptions(
    Path repository,
    Path folder,
    URI address,
    String node,
    Optional<Duration> patience,
    Optional<ShippedRouting.Webhook> automation) {

  static DemoOptions read(String... args) {
    Map<String, String> options =
        Arrays.stream(args)
            .map(arg -> arg.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length < 2 ? "" : pair[1]));
    return new DemoOptions(
        Path.of(wanted(options, "--repository")),
        Path.of(wanted(options, "--folder")),
        address(wanted(options, "--address")),
        wanted(options, "--node"),
        Optional.ofNullable(options.get("--patience")).map(Duration::parse),
        Optional.ofNullable(options.get("--automation"))
            .map(url -> webhook(url, wanted(options, "--password-file"))));
  }

  private static ShippedRouting.Webhook webhook(String url, String passwordFile) {
    return new ShippedRouting.Webhook(
        "automation", URI.create(url), "alertmanager", Path.of(passwordFile));
  }

  private static URI address(String text) {
    URI address = URI.create(text);
    if (!List.of("http", "https").contains(String.valueOf(address.getScheme()))
        || address.getPort() < 0) {
      throw new IllegalArgumentException("--address=" + text + " is no http://HOST:PORT");
    }
    return address;
  }

  /** What Prometheus scrapes. */
  Target target(String cluster) {
    Target target = Target.node(address.getAuthority(), cluster, node);
    return address.getScheme().equals("https") ? target.with("__scheme__", "https") : target;
  }

  private static String wanted(Map<String, String> options, String name) {
    String value = options.getOrDefault(name, "");
    if (value.isEmpty()) {
      throw new IllegalArgumentException(name + "=... is missing");
    }
    return value;
  }
}
