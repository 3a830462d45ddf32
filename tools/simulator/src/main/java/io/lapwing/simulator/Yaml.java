package io.lapwing.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Reads YAML as a tree. */
final class Yaml {
  private static final ObjectMapper MAPPER =
      new ObjectMapper(new YAMLFactory())
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);

  private Yaml() {}

  static JsonNode parse(String text) throws JsonProcessingException {
    return MAPPER.readTree(text);
  }

  /** A file in this jar; an error in it is a bug. */
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
