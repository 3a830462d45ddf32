package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of the web UI that names whom a GPU is allocated to, run by node. */
class HolderTextTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{job_id: '4711', job_name: 'llama', user: 'ada'}; []; job 4711 · llama · ada",
        "{job_id: '4711'}; []; job 4711",
        "{pod: 'llm-0', user: 'root', allocated: 1}; []; pod llm-0",
        "{allocated: 0}; []; free",
        "{allocated: 1, user: 'ada'}; [{source: 'cgroup', up: 1}];"
            + " a process of ada, job unknown: not in the cgroup of a job, no job mapping",
        "{allocated: 1}; [{source: 'cgroup', up: 0}, {source: 'mapping', up: 1}];"
            + " a process, job unknown: cgroup not readable, not in the job mapping",
        "{allocated: 1, user: 'ada'}; [{source: 'mapping', up: 0}, {source: 'pod_resources', up: 1}];"
            + " a process of ada, job unknown: not in the cgroup of a job, job mapping not readable,"
            + " not in the kubelet's list",
        "{allocated: 1, user: 'ada'}; [{source: 'pod_resources', up: 0}, {source: 'checkpoint', up: 0}];"
            + " a process of ada, job unknown: not in the cgroup of a job, no job mapping,"
            + " the kubelet does not answer",
      },
      quoteCharacter = '`')
  void theHolderOrTheSourcesThatDoNotNameIt(String row, String sources, String text)
      throws Exception {
    assertThat(holder(row, sources)).isEqualTo(text);
  }

  private static String holder(String row, String sources) throws Exception {
    String script =
        new String(
            Objects.requireNonNull(
                    HolderTextTest.class.getResourceAsStream("ui/holders.js"), "holders.js")
                .readAllBytes(),
            StandardCharsets.UTF_8);
    Process node =
        new ProcessBuilder("node", "--input-type=module", "-")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var in = node.getOutputStream()) {
      in.write(
          (script + "console.log(holder(" + row + ", " + sources + "));")
              .getBytes(StandardCharsets.UTF_8));
    }
    return new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }
}
