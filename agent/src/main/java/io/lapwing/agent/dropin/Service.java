package io.lapwing.agent.dropin;

import io.lapwing.common.config.YamlNode;
import io.lapwing.common.config.YamlNode.Items;
import io.lapwing.common.config.YamlNode.Mapping;
import io.lapwing.common.config.YamlNode.Scalar;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The service of a compose file: its volumes, ports and GPUs, as those of {@code docker run}. */
record Service(Path file, Mapping content, Found found) {

  void read() {
    found.mounts().inContainer();
    items(content.entries().get("volumes")).forEach(this::volume);
    if (content.entries().get("ports") instanceof Items ports && !ports.items().isEmpty()) {
      found.remark(place(ports), "ports: publish the ports of Lapwing's container the same way");
    }
    devices().forEach(this::gpus);
  }

  private void volume(YamlNode volume) {
    if (volume instanceof Scalar text) {
      String[] parts = found.variables().expand(text.text()).split(":", -1);
      if (parts.length > 1) {
        mount(parts[0], parts[1]);
      }
    } else if (volume instanceof Mapping mapping && Pod.text(mapping, "type").equals("bind")) {
      mount(Pod.text(mapping, "source"), Pod.text(mapping, "target"));
    }
  }

  /** A relative path starts at the folder of the compose file. */
  private void mount(String from, String to) {
    String folder = file.toAbsolutePath().resolveSibling("") + "/";
    String path = from.startsWith(".") ? folder + from.replaceFirst("^\\./", "") : from;
    Mounts.mount(path, to).ifPresent(found.mounts()::add);
  }

  /** Of {@code deploy.resources.reservations}, and {@code gpus}, its short form. */
  private Stream<YamlNode> devices() {
    YamlNode node = content;
    for (String key : List.of("deploy", "resources", "reservations", "devices")) {
      node = node instanceof Mapping mapping ? mapping.entries().get(key) : null;
    }
    return Stream.concat(items(node), items(content.entries().get("gpus")));
  }

  private void gpus(YamlNode device) {
    if (device instanceof Mapping mapping) {
      Stream.of("device_ids", "count")
          .flatMap(key -> Stream.ofNullable(mapping.entries().get(key)))
          .filter(gpus -> !Pod.text(gpus).equals("all"))
          .forEach(
              gpus -> found.remark(place(gpus), "devices" + Command.someGpus(text(gpus), "them")));
    }
  }

  private static String text(YamlNode gpus) {
    return gpus instanceof Items
        ? "the GPUs " + items(gpus).map(Pod::text).collect(Collectors.joining(","))
        : Pod.text(gpus) + " GPUs";
  }

  private static Stream<YamlNode> items(@Nullable YamlNode node) {
    return node instanceof Items items ? items.items().stream() : Stream.of();
  }

  private Place place(YamlNode node) {
    return new Place(file, node.line());
  }
}
