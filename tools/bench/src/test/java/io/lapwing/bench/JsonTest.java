package io.lapwing.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void writesNestedMapsListsAndEscapes() {
    assertThat(Json.write(Map.of("a", Map.of("b \"c\"\n", List.of(1, 0.5, true)))))
        .isEqualTo("{\n  \"a\": {\n    \"b \\\"c\\\"\\u000a\": [1, 0.500000, true]\n  }\n}\n");
  }
}
