package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TemplateTest {

  @Test
  void textBetweenActionsIsWords() {
    Template template = new Template("GPU {{ $labels.gpu }} of{{ `{{` }}node {{ open");
    assertThat(template.words()).containsExactly("GPU", "of", "node", "{{", "open");
    assertThat(template.labels()).containsExactly("gpu");
  }

  @Test
  void bracesThatAreNeverClosedAreReadInOnePass() {
    Template template = new Template("{".repeat(1_000_000) + " query ");
    assertThat(template.queries()).isEmpty();
    assertThat(template.words()).hasSize(2);
  }

  @Test
  void aQueryOfAnyLengthIsFound() {
    String query = "x".repeat(100_000);
    assertThat(new Template("{{ query \"" + query + "\" }}").queries()).containsExactly(query);
  }
}
