package io.lapwing.agent.dropin;

import io.lapwing.agent.dropin.Input.Form;
import io.lapwing.agent.dropin.Place.Word;
import io.lapwing.common.config.YamlNode;
import io.lapwing.common.config.YamlNode.Items;
import io.lapwing.common.config.YamlNode.Mapping;
import io.lapwing.common.config.YamlNode.Scalar;
import io.lapwing.common.config.YamlSection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Containers of manifests and compose files, and values of charts. */
final class YamlInput {

  private static final String OPERATOR = "dcgmExporter";
  private static final String SUBCHART = "dcgm-exporter";
  private static final String VARIABLE = "DCGM_EXPORTER_";

  private final Path file;
  private final Found found;

  /** The names of the file's ConfigMaps with variables. */
  private final Set<String> configured = new HashSet<>();

  /** The containers that were read. */
  private final List<Mapping> read = new ArrayList<>();

  private boolean isCompose;

  private YamlInput(Path file, Found found) {
    this.file = file;
    this.found = found;
  }

  static Form read(Path file, Found found) throws Input.Unreadable {
    List<String> problems = new ArrayList<>();
    List<YamlSection> documents = YamlSection.documents(file, problems);
    if (!problems.isEmpty()) {
      throw new Input.Unreadable(problems);
    }
    YamlInput input = new YamlInput(file, found);
    // Variables of a container replace those of its ConfigMap.
    documents.forEach(document -> input.configMap(document.content()));
    Form form = Form.VALUES;
    for (YamlSection document : documents) {
      form = input.document(document.content()) ? Form.FLAGS : form;
    }
    return form;
  }

  /** Returns whether it is a compose file. */
  private boolean document(Mapping document) {
    isCompose = document.entries().containsKey("services");
    Optional<Mapping> operator = mapping(document, OPERATOR);
    Optional<Mapping> subchart = mapping(document, SUBCHART);
    if (operator.isPresent()) {
      new ChartValues(file, "operator", OPERATOR + ".", found).read(operator.get());
    } else if (subchart.isPresent()) {
      new ChartValues(file, "chart", SUBCHART + ".", found).read(subchart.get());
    } else if (!document.entries().containsKey("kind")
        && !isCompose
        && ChartValues.isOfChart(document)) {
      new ChartValues(file, "chart", "", found).read(document);
    } else {
      containers(document);
    }
    return isCompose;
  }

  private void configMap(Mapping document) {
    variables(document)
        .ifPresent(
            data -> {
              found.present();
              environment(data, file, found);
              mapping(document, "metadata").flatMap(YamlInput::name).ifPresent(configured::add);
            });
  }

  /** The data of a ConfigMap with variables of dcgm-exporter, for {@code envFrom}. */
  private static Optional<Mapping> variables(Mapping document) {
    return document.entries().get("kind") instanceof Scalar kind && kind.text().equals("ConfigMap")
        ? mapping(document, "data")
            .filter(
                data -> data.entries().keySet().stream().anyMatch(key -> key.startsWith(VARIABLE)))
        : Optional.empty();
  }

  private static Optional<Mapping> mapping(Mapping parent, String key) {
    return Optional.ofNullable(parent.entries().get(key))
        .filter(Mapping.class::isInstance)
        .map(Mapping.class::cast);
  }

  private void containers(YamlNode node) {
    if (node instanceof Mapping mapping) {
      if (mapping.entries().get("image") instanceof Scalar image
          && image.text().contains("dcgm-exporter")) {
        found.image(new Place(file, image.line()), found.variables().expand(image.text()));
        container(mapping.entries());
        if (isCompose) {
          new Service(file, mapping, found).read();
        }
        read.add(mapping);
      } else {
        int before = read.size();
        mapping.entries().values().forEach(this::containers);
        if (mapping.entries().get("containers") instanceof Items && read.size() > before) {
          new Pod(file, mapping, found).read(read.subList(before, read.size()));
        }
      }
    } else if (node instanceof Items items) {
      items.items().forEach(this::containers);
    }
  }

  private void container(Map<String, YamlNode> entries) {
    expect(entries.get("env"), file, found);
    expect(entries.get("environment"), file, found);
    List<Word> words =
        Stream.of("entrypoint", "command", "args")
            .flatMap(key -> words(entries.get(key), file, found).stream())
            .toList();
    Command.container(words, found);
    environment(entries.get("env"), file, found);
    environment(entries.get("environment"), file, found);
    for (String key : List.of("envFrom", "env_file")) {
      Optional.ofNullable(entries.get(key))
          .filter(node -> !isHere(node))
          .ifPresent(
              node ->
                  found.remark(
                      new Place(file, node.line()),
                      key
                          + ": its variables are not in this file; give them to this command, too"));
    }
  }

  /** Whether all variables of {@code envFrom} are those of the file's ConfigMaps. */
  private boolean isHere(YamlNode from) {
    return from instanceof Items items
        && items.items().stream()
            .allMatch(
                item ->
                    item instanceof Mapping source
                        && mapping(source, "configMapRef")
                            .flatMap(YamlInput::name)
                            .filter(configured::contains)
                            .isPresent());
  }

  private static Optional<String> name(Mapping mapping) {
    return mapping.entries().get("name") instanceof Scalar name
        ? Optional.of(name.text())
        : Optional.empty();
  }

  /** A list of words, or a command line. */
  static List<Word> words(@Nullable YamlNode node, Path file, Found found) {
    if (node instanceof Scalar line) {
      String text = line.text().replace('\n', ' ');
      return Words.of(new Place(file, line.line()), text, found.variables());
    }
    List<Word> words = new ArrayList<>();
    if (node instanceof Items items) {
      for (YamlNode item : items.items()) {
        if (item instanceof Scalar word) {
          String text = found.variables().expand(word.text());
          words.add(new Word(new Place(file, word.line()), text));
        }
      }
    }
    return words;
  }

  /** Arguments may come before the variables that they refer to. */
  static void expect(@Nullable YamlNode environment, Path file, Found found) {
    Found scratch = new Found();
    environment(environment, file, scratch);
    found.variables().setAll(scratch.variables());
  }

  /** {@code {NAME: VALUE}}, or a list of {@code NAME=VALUE} or {@code {name: .., value: ..}}. */
  static void environment(@Nullable YamlNode node, Path file, Found found) {
    if (node instanceof Mapping mapping) {
      mapping.entries().forEach((name, value) -> variable(name, value, file, found));
    } else if (node instanceof Items items) {
      for (YamlNode item : items.items()) {
        if (item instanceof Scalar text) {
          found.assignment(new Place(file, text.line()), text.text());
        } else if (item instanceof Mapping mapping
            && mapping.entries().get("name") instanceof Scalar name) {
          YamlNode value = mapping.entries().get("value");
          variable(name.text(), value == null ? name : value, file, found);
        }
      }
    }
  }

  private static void variable(String name, YamlNode value, Path file, Found found) {
    Place place = new Place(file, value.line());
    boolean known = value instanceof Scalar scalar && !scalar.text().equals(name);
    if (known && value instanceof Scalar scalar) {
      found.variables().set(name, found.variables().expand(scalar.text()));
    }
    if (known || name.equals("NODE_NAME")) {
      found.variable(place, name, value instanceof Scalar scalar ? scalar.text() : "");
    } else {
      found.remark(place, "variable " + name + ": its value is not in this file");
    }
  }
}
