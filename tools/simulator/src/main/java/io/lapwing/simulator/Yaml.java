package io.lapwing.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** YAML as a tree; the readers of one file each say what its keys mean. */
final class Yaml {
  private static final ObjectMapper MAPPER =
      new ObjectMapper(new YAMLFactory())
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  private Yaml() {}

  static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /** A file that is part of this jar; a mistake in it is a bug, not bad input. */
  static JsonNode resource(String name) {
    try (InputStream file = InstanceCatalogue.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException("resource " + name + " is missing from the jar");
      }
      return MAPPER.readTree(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
