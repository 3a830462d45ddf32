package io.lapwing.agent.dropin;

import io.lapwing.common.config.YamlNode;
import io.lapwing.common.config.YamlNode.Items;
import io.lapwing.common.config.YamlNode.Mapping;
import io.lapwing.common.config.YamlNode.Scalar;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The pod of a manifest: what Lapwing's chart has for it, and its volumes. */
record Pod(Path file, Mapping spec, Found found) {

  /** With its containers of dcgm-exporter. */
  void read(List<Mapping> containers) {
    new ChartValues(file, "chart", "", found).pod(spec);
    containers.stream()
        .flatMap(container -> mappings(container.entries().get("volumeMounts")))
        .forEach(this::mount);
  }

  private void mount(Mapping mount) {
    String to = text(mount.entries().get("mountPath"));
    mappings(spec.entries().get("volumes"))
        .filter(volume -> text(volume, "name").equals(text(mount, "name")))
        .forEach(volume -> mount(volume, mount, to));
  }

  private void mount(Mapping volume, Mapping mount, String to) {
    if (volume.entries().get("configMap") instanceof Mapping configMap) {
      found.remark(
          new Place(file, mount.line()),
          "volume "
              + text(volume, "name")
              + ": copy it to extraVolumes and extraVolumeMounts; "
              + to
              + " is of the ConfigMap "
              + text(configMap, "name"));
    } else if (volume.entries().get("hostPath") instanceof Mapping host
        && !text(host, "path").equals(to)) {
      Mounts.mount(text(host, "path"), to).ifPresent(found.mounts()::add);
    }
  }

  static Stream<Mapping> mappings(@Nullable YamlNode node) {
    return node instanceof Items items
        ? items.items().stream().filter(Mapping.class::isInstance).map(Mapping.class::cast)
        : Stream.of();
  }

  static String text(Mapping mapping, String key) {
    return text(mapping.entries().get(key));
  }

  static String text(@Nullable YamlNode node) {
    return node instanceof Scalar scalar ? scalar.text() : "";
  }
}
