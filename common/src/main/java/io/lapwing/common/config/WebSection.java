package io.lapwing.common.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A section of {@link WebConfig}, as lenient as Go: a key with an empty text counts as not given.
 */
public record WebSection(YamlSection yaml) {

  public void allow(String... keys) {
    yaml.allow(List.of(keys));
  }

  public Set<String> keys() {
    return yaml.keys();
  }

  public void problem(String key, String message) {
    yaml.problem(key, message);
  }

  public Optional<WebSection> section(String key) {
    return yaml.section(key).map(WebSection::new);
  }

  public Optional<String> text(String key) {
    YamlNode node = yaml.content().entries().get(key);
    if (node instanceof YamlNode.Scalar scalar) {
      return scalar.text().isEmpty() ? Optional.empty() : Optional.of(scalar.text());
    }
    if (node instanceof YamlNode.Mapping || node instanceof YamlNode.Items) {
      problem(key, "needs one value");
    }
    return Optional.empty();
  }

  public boolean flag(String key, boolean fallback) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return fallback;
    }
    return switch (text.get().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "y" -> true;
      case "false", "no", "off", "n" -> false;
      default -> {
        problem(key, "'" + text.get() + "' is neither true nor false");
        yield fallback;
      }
    };
  }

  /** The texts of a list; empty if the key is missing. */
  public List<String> list(String key) {
    YamlNode node = yaml.content().entries().get(key);
    List<String> texts = new ArrayList<>();
    if (node instanceof YamlNode.Items items) {
      for (YamlNode item : items.items()) {
        if (item instanceof YamlNode.Scalar scalar) {
          texts.add(scalar.text());
        } else {
          problem(key, "needs a list of values");
        }
      }
    } else if (node instanceof YamlNode.Scalar || node instanceof YamlNode.Mapping) {
      problem(key, "needs a list");
    }
    return List.copyOf(texts);
  }

  /** PEM text given inline under one key, or as a file under another, which has precedence. */
  public Optional<TlsConfig.PemSource> pem(String inline, String file) {
    Optional<String> path = text(file);
    if (path.isEmpty()) {
      return text(inline).map(text -> new TlsConfig.PemSource.Inline(place(inline), text));
    }
    if (text(inline).isPresent()) {
      problem(inline, "given together with " + file);
    }
    try {
      Path directory = yaml.file().toAbsolutePath().getParent();
      Path given = Path.of(path.get());
      return Optional.of(
          new TlsConfig.PemSource.InFile(
              place(file), directory == null ? given : directory.resolve(given)));
    } catch (InvalidPathException e) {
      problem(file, "'" + path.get() + "' is not a path");
      return Optional.empty();
    }
  }

  private String place(String key) {
    YamlNode node = yaml.content().entries().get(key);
    return yaml.file() + (node == null ? "" : ":" + node.line()) + ": " + yaml.path() + key;
  }
}
