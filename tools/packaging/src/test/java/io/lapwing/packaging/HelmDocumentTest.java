package io.lapwing.packaging;

import static io.lapwing.packaging.Chart.objects;
import static io.lapwing.packaging.Chart.ofKind;
import static io.lapwing.packaging.Chart.template;
import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.TemplateCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The lines of the documents that install the chart: Helm renders it with their values. */
class HelmDocumentTest {

  private static final Path DOCUMENTS = Path.of("../../docs");
  private static final Pattern INSTALLATION =
      Pattern.compile("^ *(helm (?:install|upgrade|template) .*)$", Pattern.MULTILINE);
  private static final Pattern VALUE =
      Pattern.compile("--set(?:-string)? ([A-Za-z.]+)=(\"[^\"]*\"|\\S+)");

  static Stream<String> installations() throws IOException {
    return Stream.of("quickstart/eks.md", "quickstart/hyperpod-eks.md", "kubernetes.md")
        .map(DOCUMENTS::resolve)
        .flatMap(HelmDocumentTest::lines);
  }

  private static Stream<String> lines(Path document) {
    try {
      List<String> lines =
          INSTALLATION
              .matcher(Files.readString(document).replaceAll("\\\\\n *", ""))
              .results()
              .map(one -> one.group(1))
              .filter(line -> VALUE.matcher(line).find())
              .toList();
      assertThat(lines).as(document.toString()).isNotEmpty();
      return lines.stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("installations")
  void theValuesOfAnInstallationRender(String line) throws IOException {
    TemplateCommand chart = template();
    for (MatchResult value : VALUE.matcher(line).results().toList()) {
      // A variable is the reader's own text.
      String text = value.group(2).replace("\"", "").replaceAll("\\$\\{?\\w+}?", "registry/own");
      chart = chart.set(value.group(1), text);
    }

    assertThat(ofKind(objects(chart), "DaemonSet")).hasSize(1);
  }
}
