package io.lapwing.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The chart, and what Helm makes of it. */
final class Chart {

  /** A folder for each JVM that runs tests of this module. */
  static final Path FOLDER =
      Path.of("target", System.getProperty("test.fork", "fork-0"), "chart/lapwing")
          .toAbsolutePath();

  static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  static {
    copyWithWhatItsLinksName(Path.of("helm/lapwing"), FOLDER);
  }

  private Chart() {}

  /** The chart without links, because Helm logs each link at every rendering. */
  private static void copyWithWhatItsLinksName(Path chart, Path copy) {
    try (Stream<Path> files = Files.walk(chart, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = copy.resolve(chart.relativize(file));
        Files.createDirectories(to.getParent());
        Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Counts no nodes: unlike {@code helm template}, this library's asks a cluster. */
  static TemplateCommand template() {
    return new Helm(FOLDER)
        .template()
        .withKubeVersion("1.25.0") // the oldest that the chart says it runs on
        .withName("lapwing")
        .withNamespace("monitoring")
        .set("countNodes", false);
  }

  /** What {@code helm install} prints without a cluster. */
  static String notes(Map<String, ?> values) {
    return output(install(values).clientOnly().withDryRunOption(DryRun.CLIENT));
  }

  /** The same, by the cluster of this configuration. */
  static String notes(String kubeConfig, Map<String, ?> values) {
    return output(
        install(values)
            .disableOpenApiValidation()
            .withKubeConfigContents(kubeConfig)
            .withDryRunOption(DryRun.SERVER));
  }

  private static InstallCommand install(Map<String, ?> values) {
    InstallCommand install =
        new Helm(FOLDER)
            .install()
            .withKubeVersion("1.25.0")
            .withName("lapwing")
            .withNamespace("monitoring");
    values.forEach(install::set);
    return install;
  }

  private static String output(InstallCommand install) {
    return install.call().getOutput();
  }

  /** Each file of values beside the chart, and none of them. */
  static Stream<Optional<Path>> sites() throws IOException {
    List<Optional<Path>> sites = new ArrayList<>(List.of(Optional.empty()));
    for (String name : names(FOLDER.resolve("ci"), "-values.yaml")) {
      sites.add(Optional.of(FOLDER.resolve("ci").resolve(name)));
    }
    return sites.stream();
  }

  static List<JsonNode> objects(Optional<Path> site) throws IOException {
    TemplateCommand command = template();
    return objects(site.isPresent() ? command.withValuesFile(site.get()) : command);
  }

  /** Everything that the chart can make, once. */
  static List<JsonNode> everything() throws IOException {
    return objects(Optional.of(FOLDER.resolve("ci/everything-values.yaml")));
  }

  static List<JsonNode> objects(TemplateCommand command) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (MappingIterator<JsonNode> documents =
        YAML.readerFor(JsonNode.class).readValues(command.call())) {
      while (documents.hasNext()) {
        JsonNode document = documents.next();
        if (document != null && document.has("kind")) {
          objects.add(document);
        }
      }
    }
    return objects;
  }

  static Stream<JsonNode> ofKind(List<JsonNode> objects, String kind) {
    return objects.stream().filter(one -> one.path("kind").asText().equals(kind));
  }

  /** The pod of the one DaemonSet among them. */
  static JsonNode pod(List<JsonNode> objects) {
    return ofKind(objects, "DaemonSet").findFirst().orElseThrow().at("/spec/template/spec");
  }

  static List<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** The files of a folder with that ending, sorted. */
  static List<String> names(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(ending))
          .sorted()
          .toList();
    }
  }
}
