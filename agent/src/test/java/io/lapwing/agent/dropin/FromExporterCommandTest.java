package io.lapwing.agent.dropin;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.config.SettingsReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FromExporterCommandTest {

  private static final Path EXAMPLES = Path.of("src/test/resources/dcgm-exporter");

  @TempDir Path dir = Path.of("");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return new FromExporterCommand(print(out), print(err)).run(List.of(args));
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  /** The output for one of the examples, without their folder. */
  private List<String> lines(String example) {
    assertThat(run(EXAMPLES.resolve(example).toString())).isZero();
    return out.toString(StandardCharsets.UTF_8).replace(EXAMPLES + "/", "").lines().toList();
  }

  /** The output for a file with this text. */
  private String translate(String name, String text) throws IOException {
    assertThat(run(Files.writeString(dir.resolve(name), text).toString())).isZero();
    return out.toString(StandardCharsets.UTF_8);
  }

  private List<String> settings(String name, String text) throws IOException {
    return settings(translate(name, text).lines().toList());
  }

  private static List<String> settings(List<String> lines) {
    return lines.stream().filter(line -> !line.startsWith("#")).toList();
  }

  private String errors() {
    return err.toString(StandardCharsets.UTF_8).replace(EXAMPLES + "/", "");
  }

  @Test
  void aUnitBecomesLapwingsConfiguration() throws Exception {
    List<String> lines = lines("exporter.service");

    assertThat(settings(lines))
        .containsExactlyInAnyOrder(
            "web.listen-address: \"10.0.0.7:9400\"",
            "gpu.names: classic",
            "cadence.fast: 1s",
            "log.format: json",
            "gpu.fields: /etc/gpu-metrics/fields.csv",
            "dcgm.engine: \"localhost:5555\"",
            "jobs.mapping-dir: /run/slurm/dcgm-job-mapping",
            "hpc-job-label: true",
            "gpu.xid-window: 1m");
    assertThat(lines)
        .contains(
            "# exporter.service:7: EnvironmentFile: give /etc/sysconfig/gpu-metrics to this"
                + " command, too",
            "# exporter.service:11: unknown flag --colectors; did you mean --collectors?",
            "# exporter.service:11: flag -d: not supported: all GPUs and their MIG instances are"
                + " read; drop series by metric_relabel_configs");
    assertThat(errors())
        .isEqualTo(
            "lapwing: warning: exporter.service:11: unknown flag --colectors; did you mean"
                + " --collectors?\n");
  }

  @Test
  void theDocumentedOutputIsThatOfTheCommand() throws Exception {
    String text =
        translate(
            "nvidia-dcgm-exporter.service",
            """
            [Unit]
            Description=DCGM Exporter

            [Service]
            ExecStart=/usr/bin/dcgm-exporter -f /etc/dcgm-exporter/default-counters.csv
            """);
    assertThat(Files.readString(Path.of("../docs/migrating.md")))
        .contains("```\n" + text.replace(dir + "/", "") + "```\n");
  }

  @Test
  void anInvalidValueIsNamedAndNotTranslated() throws Exception {
    String unit =
        """
        [Service]
        Environment=DCGM_EXPORTER_XID_COUNT_WINDOW_SIZE=abc
        ExecStart=/usr/bin/dcgm-exporter -c 10s -a 9400 -d q \\
          --kubernetes=maybe --log-format=yaml -m fields
        """;

    assertThat(settings("a.service", unit))
        .containsExactly("web.listen-address: \":9400\"", "gpu.names: classic");
    List<String> problems =
        List.of(
            "a.service:2: variable DCGM_EXPORTER_XID_COUNT_WINDOW_SIZE: 'abc' is not a number of"
                + " milliseconds; not translated",
            "a.service:3: flag -c: '10s' is not a number of milliseconds; not translated",
            "a.service:3: flag -a: '9400' is not an address with a port, such as :9400 or"
                + " 10.0.0.7:9400; not translated",
            "a.service:3: flag -d: 'q' is not f, or g or i with or without indices, such as"
                + " g:0,2-3; not translated",
            "a.service:4: flag --kubernetes: 'maybe' is not true or false; not translated",
            "a.service:4: flag --log-format: 'yaml' is not one of text, json; not translated",
            "a.service:4: flag -m: 'fields' is not NAMESPACE:NAME; not translated");
    String comments = out.toString(StandardCharsets.UTF_8).replace(dir + "/", "");
    String warnings = errors().replace(dir + "/", "");
    assertThat(problems)
        .allSatisfy(
            problem -> {
              assertThat(comments).contains("# " + problem + "\n");
              assertThat(warnings).contains("lapwing: warning: " + problem + "\n");
            });
    assertThat(warnings.lines()).hasSize(problems.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-a :9400", "-a host:9400", "-a [::1]:9400", "-c 1000", "-d f", "-d g", "-d i:0,2-3",
        "-d g:1", "-k=T", "-k=0", "--log-format text", "--dump-retention 0", "-m none", "-m a:b",
      })
  void aValidValueIsNotNamed(String flag) throws Exception {
    translate("a.sh", "dcgm-exporter " + flag + "\n");
    assertThat(errors()).isEmpty();
  }

  @Test
  void aVariableThatIsNotGivenIsNoAddress() throws Exception {
    assertThat(settings("a.sh", "dcgm-exporter -a :$PORT\n"))
        .contains("--web.listen-address=:9400");
    assertThat(errors())
        .contains(
            "a.sh:1: flag -a: the value of the variable PORT is not given here; not translated:"
                + " set web.listen-address\n");
  }

  @Test
  void theImageOfAScriptMayBeAVariable() throws Exception {
    String script =
        """
        #!/bin/bash
        %s
        docker run -d --rm --gpus all \\
          -v /opt/dcgm/my.csv:/etc/dcgm-exporter/my.csv:ro --name $NAME \\
          "$IMG" -f /etc/dcgm-exporter/my.csv --kubernetes=maybe
        """;

    assertThat(
            settings(
                "a.sh",
                script.formatted(
                    "export TAG='4.8.3-4.9.0-ubuntu22.04'\nIMG=nvcr.io/k8s/dcgm-exporter:$TAG")))
        .contains("--gpu.names=4.9", "--gpu.fields=/opt/dcgm/my.csv");
    assertThat(errors()).contains("a.sh:6: flag --kubernetes: 'maybe' is not true or false");
    out.reset();
    assertThat(settings("b.sh", script.formatted("IMG=$(cat image)")))
        .contains("--gpu.fields=/opt/dcgm/my.csv");
    assertThat(errors())
        .contains("b.sh:5: the image is not known: it is the output of a command\n");
    assertThat(settings("c.sh", script.formatted("# none"))).contains("--gpu.names=classic");
    assertThat(errors())
        .contains(
            "c.sh:5: the image is not known: the value of the variable IMG is not given here\n",
            "c.sh:5: flag --kubernetes: 'maybe' is not true or false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "E=engine                   | $E              | engine:5555",
        "export E=\"engine:1\"      | \"${E}\"      | engine:1",
        "E='engine'; F=$E           | ${F:-other}     | engine:5555",
        "F=x                        | ${E:-engine:1}  | engine:1",
        "F=x                        | ${E:=engine}    | engine:5555",
        "F=x                        | ${E:-\"engine\"} | engine:5555",
        "E=${E:-engine}             | tcp://$E:5556   | engine:5556",
        "E=a && E=b                 | $E              | ^^",
        "E=$(hostname -i)           | $E              | ^^",
        "E=`hostname -i`            | $E              | ^^",
        "E=engine echo              | $E              | ^^",
        "F=x                        | '${E}'          | ^^",
        "F=x                        | \"$(get $E)\" | ^^",
      })
  void aVariableIsReplacedWhereTheScriptSetsIt(String set, String value, String engine)
      throws Exception {
    assertThat(settings("a.sh", set + "\ndcgm-exporter -r " + value + " -f /x.csv\n"))
        .contains("--gpu.fields=/x.csv")
        .filteredOn(line -> line.startsWith("--dcgm.engine"))
        .isEqualTo(engine.isEmpty() ? List.of() : List.of("--dcgm.engine=" + engine));
    if (engine.isEmpty()) {
      assertThat(errors()).contains("a.sh:2: flag -r: ").contains("; not translated: set dcgm.eng");
    }
  }

  @Test
  void aVariableMayHaveSeveralArguments() throws Exception {
    String script =
        """
        OPTIONS='-c 1000'
        OPTIONS="$OPTIONS -n"
        dcgm-exporter $OPTIONS $NONE -r "${ENGINE:-localhost}" -f '/a b.csv'
        """;
    assertThat(settings("a.sh", script))
        .contains(
            "--cadence.fast=1s",
            "--gpu.hostname-label=none",
            "--dcgm.engine=localhost:5555",
            "--gpu.fields='/a b.csv'");
    assertThat(errors().lines())
        .singleElement()
        .asString()
        .contains("a.sh:3: '$NONE': the value of the variable NONE is not given here; its flags");
  }

  @Test
  void valuesThatDoubleEachOtherAreNotKnown() throws Exception {
    StringBuilder script = new StringBuilder("V0=0123456789\n");
    for (int i = 1; i <= 60; i++) {
      script.append("V%d=$V%d$V%d\n".formatted(i, i - 1, i - 1));
    }
    script.append("dcgm-exporter -f $V60 -r host\n");
    assertThat(settings("a.sh", script.toString())).contains("--dcgm.engine=host:5555");
    assertThat(errors()).contains("is not given here");
  }

  @Test
  void theVariablesOfAUnitAreReplaced() throws Exception {
    String unit =
        """
        [Service]
        ExecStart=/usr/bin/dcgm-exporter -r ${ENGINE} $OPTIONS -f %E/f.csv --web-config-file=%%x \\
          --hpc-job-mapping-dir=${JOBS}/map
        Environment=ENGINE=localhost:5556 "OPTIONS=-c 1000 -n"
        """;
    assertThat(settings("a.service", unit))
        .containsExactlyInAnyOrder(
            "web.listen-address: \":9400\"",
            "gpu.names: classic",
            "dcgm.engine: \"localhost:5556\"",
            "cadence.fast: 1s",
            "gpu.hostname-label: none",
            "web.config.file: \"%x\"");
    assertThat(errors())
        .contains(
            "flag -f: the value of the variable %E is not given here; not translated: set gpu.fie",
            "flag --hpc-job-mapping-dir: the value of the variable JOBS is not given here; not");
  }

  @Test
  void theVariablesOfAServiceAreReplaced() throws Exception {
    String service =
        """
        services:
          gpu:
            image: nvcr.io/dcgm-exporter:${TAG:-4.9.0}
            command: ["-r", "${ENGINE}", "-f", "${FILE}", "-n"]
            environment: {ENGINE: "localhost:5556", DCGM_EXPORTER_INTERVAL: "${INTERVAL:-1000}"}
        """;
    assertThat(settings("compose.yaml", service))
        .containsExactlyInAnyOrder(
            "--web.listen-address=:9400",
            "--gpu.names=4.9",
            "--cadence.fast=1s",
            "--dcgm.engine=localhost:5556",
            "--gpu.hostname-label=none");
    assertThat(errors())
        .contains("compose.yaml:4: flag -f: the value of the variable FILE is not given here; not");
  }

  @Test
  void theVariablesOfAChartAreReplaced() throws Exception {
    String values =
        """
        image: {tag: 4.9.0}
        arguments: ["-r", "$(NODE_IP):5555", "-a", ":$(PORT)"]
        extraEnv:
          - {name: PORT, value: "9500"}
          - {name: NODE_IP, valueFrom: {fieldRef: {fieldPath: status.hostIP}}}
        """;
    assertThat(settings("values.yaml", values))
        .contains("port: 9500")
        .noneMatch(line -> line.contains("dcgm.engine"));
    assertThat(errors())
        .contains("values.yaml:2: flag -r: the value of the variable NODE_IP is not given here;");
  }

  @Test
  void theVolumesPortsAndGpusOfAServiceAreNamed() throws Exception {
    String service =
        """
        services:
          gpu:
            image: dcgm-exporter:4.9.0
            command: ["-f", "/etc/dcgm-exporter/my.csv", "--hpc-job-mapping-dir", "/jobs/map"]
            volumes:
              - ./my.csv:/etc/dcgm-exporter/my.csv:ro
              - {type: bind, source: /run/slurm, target: /jobs}
            ports: ["9500:9400"]
            deploy:
              resources:
                reservations:
                  devices:
                    - {driver: nvidia, %s, capabilities: [gpu]}
        """;
    assertThat(translate("a.yaml", service.formatted("device_ids: [\"0\", \"3\"]")))
        .contains(
            "--gpu.fields=" + dir + "/my.csv\n",
            "--jobs.mapping-dir=/run/slurm/map\n",
            "a.yaml:4: flag -f: differs: /etc/dcgm-exporter/my.csv is the host's " + dir,
            "a.yaml:8: ports: publish the ports of Lapwing's container the same way\n",
            "a.yaml:13: devices: dcgm-exporter has only the GPUs 0,3; give them to Lapwing's");
    out.reset();
    assertThat(translate("b.yaml", service.formatted("count: 2")))
        .contains("devices: dcgm-exporter has only 2 GPUs; ");
    out.reset();
    assertThat(translate("c.yaml", service.formatted("count: all"))).doesNotContain("has only");
  }

  @Test
  void aMountOfAVariableIsNoPathOfTheHost() throws Exception {
    assertThat(
            settings(
                "a.sh", "docker run -v $DIR/f.csv:/etc/f.csv dcgm-exporter:4.9.0 -f /etc/f.csv\n"))
        .noneMatch(line -> line.contains("gpu.fields"));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "flag -f: /etc/f.csv is a mount of the host's $DIR/f.csv: the value of the variable DIR");
  }

  @Test
  void theDefaultOfAChartIsNoLineOfItsValues() throws Exception {
    String values =
        """
        image: {tag: 4.9.0}
        extraEnv:
          - {name: DCGM_EXPORTER_KUBERNETES, value: "false"}
        """;
    assertThat(translate("values.yaml", values))
        .contains(
            "the chart's default DCGM_EXPORTER_KUBERNETES=true: variable DCGM_EXPORTER_KUBERNETES"
                + " in line 3 replaces it\n")
        .doesNotContain(": variable DCGM_EXPORTER_KUBERNETES: variable");
  }

  @Test
  void aFileOfVariablesBecomesOne() {
    List<String> lines = lines("exporter.env");

    assertThat(settings(lines))
        .containsExactly(
            "LAPWING_WEB_LISTEN_ADDRESS=\":9400\"",
            "LAPWING_GPU_NAMES=classic",
            "LAPWING_GPU_HOSTNAME_LABEL=none",
            "LAPWING_WEB_CONFIG_FILE=\"/etc/gpu metrics/web.yml\"");
    assertThat(lines)
        .contains("# exporter.env:7: variable PASSWORD: not one of dcgm-exporter; not translated")
        .noneMatch(line -> line.contains("not-shown"));
    assertThat(errors()).contains("exporter.env:6: unknown variable DCGM_EXPORTER_LISTN; did you");
  }

  @Test
  void aContainersCommandLineBecomesFlags() {
    List<String> lines = lines("docker-run.sh");

    assertThat(settings(lines))
        .containsExactlyInAnyOrder(
            "--web.listen-address=:9400",
            "--gpu.names=classic-hostname",
            "--log.level=debug",
            "--gpu.fields=/etc/dcgm-exporter/config.yaml");
    assertThat(String.join("\n", lines))
        .contains("docker-run.sh:1: DCGM_FI_PROF_* of GPUs without GPM")
        .contains("docker-run.sh:3: variable DCGM_EXPORTER_USE_OLD_NAMESPACE: not supported: ")
        .contains("docker-run.sh:3: flag -p: publish the port")
        .contains("docker-run.sh:5: flag --config-file: differs: ")
        .contains("docker-run.sh:5: flag --enable-pprof: not supported: ");
    assertThat(errors()).isEmpty();
  }

  @Test
  void aManifestBecomesValues() {
    List<String> lines = lines("daemonset.yaml");

    assertThat(settings(lines))
        .containsExactly("port: 9400", "config:", "  gpu.names: classic", "  gpu.pod-labels: true");
    assertThat(String.join("\n", lines))
        .contains("daemonset.yaml:18: flag -f: not needed: the default, --metrics=standard")
        .contains("DCGM_FI_DRIVER_VERSION comes with gpu.names; if yours has others, copy it")
        .contains("daemonset.yaml:20: flag --collect-interval: not needed: ")
        .contains("variable DCGM_EXPORTER_KUBERNETES: differs: each pod starts all series")
        .contains("variable DCGM_EXPORTER_KUBERNETES_ENABLE_POD_LABELS: not supported: ")
        .contains("variable NODE_NAME: always so: ")
        .contains("variable DCGM_EXPORTER_INTERVAL: its value is not in this file");
  }

  @Test
  void aComposeFileBecomesFlags() {
    List<String> lines = lines("compose.yaml");

    assertThat(settings(lines))
        .containsExactlyInAnyOrder(
            "--web.listen-address=:9400", "--gpu.names=4.9", "--dcgm.engine=hostengine:5555");
    assertThat(String.join("\n", lines))
        .contains("compose.yaml:6: flag --replace-blanks-in-model-name: not supported: ")
        .contains("compose.yaml:1: gpu.names: Lapwing's own rules and dashboards have the classic")
        .doesNotContain("GPUs without GPM")
        .contains("compose.yaml:9: env_file: ");
  }

  @Test
  void valuesOfTheChartBecomeOurs() {
    List<String> lines = lines("chart-values.yaml");

    assertThat(settings(lines))
        .containsExactly(
            "port: 9410", "config:", "  gpu.hostname-label: hostname", "  gpu.pod-labels: true");
    assertThat(String.join("\n", lines))
        .contains("chart-values.yaml:4: flag -m: not supported: ")
        .contains("value nodeSelector: copy it; Lapwing's chart has nodeSelector")
        .contains("variable DCGM_EXPORTER_KUBERNETES_ENABLE_POD_UID: not supported: ")
        .contains("value customMetrics: make a ConfigMap of it")
        .contains("chart-values.yaml:17: unknown value replicas")
        .doesNotContain("basicAuth");
    assertThat(errors()).contains("chart-values.yaml:17: unknown value replicas");
  }

  @Test
  void valuesOfTheOperatorBecomeOurs() {
    List<String> lines = lines("operator-values.yaml");

    assertThat(settings(lines))
        .containsExactly(
            "port: 9400",
            "config:",
            "  gpu.names: 4.9",
            "  gpu.pod-labels: true",
            "  gpu.fields: /etc/dcgm-exporter/fields.csv");
    assertThat(String.join("\n", lines))
        .contains("value dcgmExporter.enabled: Lapwing's chart is another release")
        .contains("value dcgmExporter.config: mount the ConfigMap")
        .doesNotContain("driver");
  }

  @Test
  void theServiceMonitorOfAChartBecomesOurs() throws Exception {
    String monitor =
        "{enabled: %s, interval: 5s, additionalLabels: {release: prom, n: \"1\"}, honorLabels: true}";
    List<String> of =
        settings("values.yaml", "serviceMonitor: " + monitor.formatted("true") + "\n");
    assertThat(of)
        .containsSequence(
            "service:",
            "  enabled: true",
            "serviceMonitor:",
            "  enabled: true",
            "  interval: 5s",
            "  labels: {release: \"prom\", n: \"1\"}",
            "  scrapeTimeout: 5s");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("value serviceMonitor.honorLabels: it is true in Lapwing's chart");
    out.reset();
    assertThat(
            settings(
                "b.yaml", "dcgmExporter:\n  serviceMonitor: " + monitor.formatted("false") + "\n"))
        .contains("serviceMonitor:")
        .doesNotContain("  enabled: true");
  }

  @Test
  void thePodOfAManifestIsNamed() throws Exception {
    String manifest =
        """
        kind: DaemonSet
        spec:
          template:
            spec:
              nodeSelector: {gpu: "true"}
              tolerations: [{operator: Exists}]
              hostNetwork: true
              priorityClassName: high
              containers:
                - image: dcgm-exporter:4.8.2
                  args: ["-a", "%s:$(PORT)", "-f", "/etc/own/f.csv", "--hpc-job-mapping-dir", "/jm"]
                  env: [{name: PORT, value: "9500"}]
                  volumeMounts:
                    - {name: fields, mountPath: /etc/own}
                    - {name: jobs, mountPath: /jm}
              volumes:
                - {name: fields, configMap: {name: gpu-fields}}
                - {name: jobs, hostPath: {path: /run/slurm/dcgm-job-mapping}}
        """;

    assertThat(settings("a.yaml", manifest.formatted("")))
        .containsSequence("port: 9500", "host:", "  slurm: true", "config:")
        .contains(
            "  gpu.fields: /etc/own/f.csv", "  jobs.mapping-dir: /run/slurm/dcgm-job-mapping");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains(
            "a.yaml:5: value nodeSelector: copy it; Lapwing's chart has nodeSelector\n",
            "a.yaml:6: value tolerations: copy it; ",
            "a.yaml:7: value hostNetwork: host.network; true in Lapwing's chart\n",
            "a.yaml:8: value priorityClassName: copy it; ",
            "a.yaml:14: volume fields: copy it to extraVolumes and extraVolumeMounts; /etc/own is"
                + " of the ConfigMap gpu-fields\n")
        .doesNotContain("the chart listens on all addresses");
    out.reset();
    assertThat(settings("b.yaml", manifest.formatted("10.0.0.7"))).contains("port: 9500");
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("b.yaml:11: flag -a: not supported: the chart listens on all addresses; only");
  }

  @Test
  void bareArgumentsBecomeFlags() {
    List<String> lines = lines("arguments.txt");

    assertThat(settings(lines)).contains("--cadence.fast=200ms");
    assertThat(String.join("\n", lines))
        .contains("only values that follow the workload are read so often, and no more than")
        .contains("arguments.txt:1: the release of dcgm-exporter is not given")
        .contains("flag -o: not supported: ");
  }

  @Test
  void whatIsPrintedForAUnitIsAValidConfiguration() throws Exception {
    Path csv = Files.writeString(dir.resolve("f.csv"), "DCGM_FI_DEV_GPU_TEMP,gauge,x\n");
    Path unit =
        Files.writeString(
            dir.resolve("a.service"),
            "[Service]\nExecStart=/usr/bin/dcgm-exporter -f " + csv + " -c 1000 -n -x 1500\n");
    assertThat(run(unit.toString())).isZero();
    Path config = Files.write(dir.resolve("lapwing.yml"), out.toByteArray());

    assertThat(
            SettingsReader.read(
                List.of("--config.file=" + config), Map.of(), CollectorGroup.collectors()))
        .isInstanceOf(SettingsReader.Invocation.Run.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DCGM_EXPORTER_INTERVAL=1000 dcgm-exporter -c 30000 | cadence.fast",
        "dcgm-exporter -c 1000 -c 30000 | cadence.fast",
        "DCGM_EXPORTER_INTERVAL=1000 dcgm-exporter -c x | cadence.fast",
        "DCGM_EXPORTER_COLLECTORS=/x.csv dcgm-exporter -f /etc/dcgm-exporter/default-counters.csv | gpu.fields",
        "DCGM_EXPORTER_COLLECTORS=/x.csv dcgm-exporter -f= | gpu.fields",
        "dcgm-exporter --config-file=/x.yaml -f /etc/dcgm-exporter/default-counters.csv | gpu.fields",
        "DCGM_EXPORTER_KUBERNETES=true dcgm-exporter --kubernetes=false | gpu.pod-labels",
        "DCGM_EXPORTER_DEBUG=1 dcgm-exporter --debug=0 | log.level",
        "dcgm-exporter -f /x.csv -m ns:fields | gpu.fields",
      })
  void whatTakesTheDefaultReplacesAnEarlierValue(String command, String option) throws Exception {
    assertThat(settings("a.sh", command + "\n"))
        .contains("--web.listen-address=:9400")
        .noneMatch(line -> line.startsWith("--" + option));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tcp://engine:5556 | engine:5556",
        "engine | engine:5555",
        "unix:///run/engine.sock | unix:/run/engine.sock",
        "vsock://2:5556 | vsock://2:5556",
        "vsock://2 | vsock://2:5555",
      })
  void theAddressOfAHostEngineKeepsItsKind(String address, String engine) throws Exception {
    assertThat(settings("a.sh", "dcgm-exporter -r " + address + "\n"))
        .contains("--dcgm.engine=" + engine);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-v /etc/dcgm-exporter:/etc/dcgm-exporter",
        "--volume=/etc/dcgm-exporter:/etc/dcgm-exporter:ro",
        "--mount type=bind,source=/etc/dcgm-exporter,target=/etc/dcgm-exporter",
        "-v dcgm-exporter:/etc/dcgm-exporter",
        "--name dcgm-exporter",
        "-e HOME=/opt/dcgm-exporter",
      })
  void aVolumeOrVariableIsNotTheImage(String flag) throws Exception {
    assertThat(
            settings(
                "a.sh",
                "docker run "
                    + flag
                    + " registry:5000/k8s/dcgm-exporter:4.9.0 -f /x.csv -c 1000\n"))
        .contains("--gpu.names=4.9", "--gpu.fields=/x.csv", "--cadence.fast=1s");
  }

  @Test
  void aSecondCommandIsNamed() throws Exception {
    String script =
        """
        docker pull dcgm-exporter:4.9.0
        docker run dcgm-exporter:4.9.0 -c 1000
        docker run -d \\
          dcgm-exporter:4.9.0 -c 2000
        sh -c 'exec dcgm-exporter -c 3000'
        docker rm dcgm-exporter
        """;
    assertThat(settings("a.sh", script)).contains("--cadence.fast=1s");
    String named = ": another command of dcgm-exporter; not translated: ";
    assertThat(errors().lines())
        .hasSize(2)
        .anyMatch(line -> line.contains("a.sh:3" + named))
        .anyMatch(line -> line.contains("a.sh:5" + named));
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("a.sh:3" + named, "a.sh:5" + named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--gpus '\"device=0,1\"' | flag --gpus: dcgm-exporter has only the GPUs device=0,1; give",
        "--gpus=2 | flag --gpus: dcgm-exporter has only the GPUs 2; give",
        "--device nvidia.com/gpu=1 | flag --device: dcgm-exporter has only the GPUs"
            + " nvidia.com/gpu=1",
        "--gpus all --device nvidia.com/gpu=all --device /dev/kmsg | ''",
      },
      quoteCharacter = '^')
  void someGpusOfAContainerAreNamed(String flags, String named) throws Exception {
    String text = translate("a.sh", "docker run " + flags + " dcgm-exporter:4.9.0\n");
    if (named.equals("''")) {
      assertThat(text).doesNotContain("flag --");
    } else {
      assertThat(text).contains("# " + dir + "/a.sh:1: " + named);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "-v /run/slurm/dcgm-job-mapping:/jm, /jm, /run/slurm/dcgm-job-mapping",
    "--volume=/run/slurm:/x/:ro, /x/jobs, /run/slurm/jobs",
    "'--mount type=bind,source=/run/slurm,target=/jm', /jm, /run/slurm",
    "-v /a:/jm -v /b:/jm/b, /jm/b/c, /b/c",
    "-v jobs:/jm, /jm, /jm",
    "-v /a:/jm, /jmx, /jmx",
  })
  void aFolderOfAContainerBecomesTheHosts(String mounts, String inside, String host)
      throws Exception {
    String run = "docker run %s dcgm-exporter:4.9.0 --hpc-job-mapping-dir %s\n";
    String text = translate("a.sh", run.formatted(mounts, inside));
    assertThat(text).contains("--jobs.mapping-dir=" + host + "\n", "--hpc-job-label=true\n");
    assertThat(text)
        .contains(
            "flag --hpc-job-mapping-dir: "
                + (inside.equals(host)
                    ? inside + " is a path in the container; give that of the host\n"
                    : "differs: " + inside + " is the host's " + host + "; a container of"));
  }

  @Test
  void aFieldFileThatIsMountedOverTheDefaultIsOneOfTheSite() throws Exception {
    String file = "/etc/dcgm-exporter/default-counters.csv";
    assertThat(
            settings(
                "a.sh",
                "docker run -v /srv/f.csv:" + file + " dcgm-exporter:4.9.0 -f " + file + "\n"))
        .contains("--gpu.fields=/srv/f.csv");
  }

  @Test
  void aVariableIsNotTheProgram() throws Exception {
    assertThat(settings("a.sh", "HOME=/opt/dcgm-exporter dcgm-exporter -f /x.csv -c 1000\n"))
        .contains("--gpu.fields=/x.csv", "--cadence.fast=1s");
  }

  @Test
  void theVariablesOfAConfigMapAreRead() throws Exception {
    assertThat(
            translate(
                "a.yaml",
                "kind: ConfigMap\ndata:\n  DCGM_EXPORTER_INTERVAL: \"1000\"\n  OTHER: x\n"))
        .contains("cadence.fast: 1s");
  }

  @Test
  void theCommandsOfAContainersShellAreApart() throws Exception {
    String pod =
        """
        kind: Pod
        spec:
          containers:
            - image: dcgm-exporter:4.9.0
              command: ['/bin/bash', '-c']
              args: ['hostname $NODE; %s']
        """;

    assertThat(translate("a.yaml", pod.formatted("dcgm-exporter -r $(IP):5555 -f /x.csv 2>&1")))
        .contains("fields: /x.csv")
        .doesNotContain("engine: ");
    out.reset();
    translate("b.yaml", pod.formatted("sleep 5&exec /opt/start -f /x.csv"));
    assertThat(out + "" + err).contains("b.yaml:5: no command of this script is dcgm-exporter");
  }

  @Test
  void aConfigMapThatIsNotInTheFileIsNamed() throws Exception {
    String text =
        """
        kind: ConfigMap
        metadata: {name: here}
        data: {DCGM_EXPORTER_INTERVAL: "1000"}
        ---
        kind: Pod
        spec:
          containers:
            - image: dcgm-exporter:4.9.0
              envFrom: [{configMapRef: {name: %s}}]
        """;

    assertThat(translate("a.yaml", text.formatted("here"))).doesNotContain("envFrom");
    out.reset();
    assertThat(translate("b.yaml", text.formatted("elsewhere"))).contains("b.yaml:9: envFrom");
  }

  @Test
  void theImagesOwnFieldFileHasTheLabelOfTheDriver() throws Exception {
    assertThat(
            translate(
                "values.yaml",
                """
            image: {tag: 4.5.3-4.8.2}
            arguments: ["-f", "/etc/dcgm-exporter/dcp-metrics-included.csv"]
            """))
        .contains("gpu.names: classic");
  }

  @ParameterizedTest
  @CsvSource({
    "3.3.9-3.6.1-ubuntu22.04, '', true",
    "3.3.9-3.6.1-ubuntu22.04, /etc/dcgm-exporter/default-counters.csv, false",
    "4.4.2-4.7.1, '', false",
    "4.5.1-4.8.0, '', true",
    "4.5.2-4.8.1, /etc/dcgm-exporter/default-counters.csv, true",
    "4.5.2-4.8.1, /etc/own.csv, false",
    "4.5.3-4.8.2, '', false",
  })
  void theFieldFilesOfSomeChartsHaveTheLabelOfTheDriver(String tag, String file, boolean has)
      throws Exception {
    String arguments = file.isEmpty() ? "[]" : "[\"-f\", \"" + file + "\"]";
    assertThat(settings("values.yaml", "image: {tag: " + tag + "}\narguments: " + arguments + "\n"))
        .filteredOn(line -> line.contains("gpu.names: classic"))
        .hasSize(has ? 1 : 0);
  }

  @Test
  void aContainerNeedsAMountOfTheFolderOfJobs() throws Exception {
    String values = "image: {tag: 4.5.3-4.8.2}\narguments: [\"--hpc-job-mapping-dir=%s\"]\n";

    assertThat(settings("values.yaml", values.formatted("/run/slurm/jobs")))
        .containsSequence("host:", "  slurm: true");
    out.reset();
    assertThat(translate("values.yaml", values.formatted("/var/jobs")))
        .contains("# mount /var/jobs read-only, by extraVolumes and extraVolumeMounts\n")
        .doesNotContain("slurm");
  }

  @Test
  void aFileOfVariablesMayHaveBlanksWithoutQuotes() throws Exception {
    assertThat(
            translate(
                "dcgm-exporter.env",
                "DCGM_EXPORTER_COLLECTORS=/etc/my fields.csv\nDCGM_EXPORTER_INTERVAL=1000\n"))
        .contains("LAPWING_GPU_FIELDS=\"/etc/my fields.csv\"\n")
        .contains("LAPWING_CADENCE_FAST=1s\n");
    out.reset();
    assertThat(
            translate(
                "a.env", "export DCGM_EXPORTER_COLLECTORS=/x.csv DCGM_EXPORTER_INTERVAL=1000\n"))
        .contains("LAPWING_GPU_FIELDS=/x.csv\n", "LAPWING_CADENCE_FAST=1s\n");
  }

  @Test
  void aValueThatIsReplacedIsNamed() throws Exception {
    assertThat(translate("a.sh", "DCGM_EXPORTER_INTERVAL=1000 dcgm-exporter -c 2000\n"))
        .contains("--cadence.fast=2s\n")
        .contains("a.sh:1: variable DCGM_EXPORTER_INTERVAL: flag -c in line 1 replaces it\n")
        .doesNotContain("INTERVAL: differs");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "image: {tag: 4.6.0-4.8.3}\narguments: [\"--kubernetes=false\", \"-n=false\"]\n",
        "image: {tag: 4.6.0-4.8.3}\nextraEnv: [{name: DCGM_EXPORTER_KUBERNETES, value: \"false\"}]\n"
      })
  void aChartWithoutKubernetesHasNoPodLabels(String values) throws Exception {
    assertThat(settings("values.yaml", values))
        .containsExactly("port: 9400", "config:", "  gpu.hostname-label: hostname");
  }

  @ParameterizedTest
  @CsvSource({
    "dcgm-exporter:4.5.3-4.8.2-distroless, classic",
    "x/dcgm-exporter:4.6.0-4.8.3, classic-hostname",
    "dcgm-exporter:4.8.4-ubi9, classic-hostname",
    "dcgm-exporter:4.9.0, 4.9",
    "dcgm-exporter:4.10.1, 4.9",
    "dcgm-exporter:2.1.4-2.3.1-ubuntu20.04, classic",
    "dcgm-exporter:latest, ''",
  })
  void anImageHasTheNamesOfItsRelease(String image, String names) {
    assertThat(Release.of(image).map(String::valueOf).orElse("")).isEqualTo(names);
  }

  @Test
  void everyOptionOfTheTableIsOneOfOurs() throws Exception {
    String ours = Files.readString(Path.of("../docs/configuration.md"));
    assertThat(ExporterOption.all())
        .hasSizeGreaterThan(50)
        .allSatisfy(
            option -> {
              boolean translated = option.answer() == ExporterOption.Answer.OPTION;
              assertThat(option.ours().isEmpty()).as(option.toString()).isEqualTo(!translated);
              assertThat(translated || !option.note().isEmpty()).as(option.toString()).isTrue();
              if (translated) {
                assertThat(ours)
                    .containsPattern("\\| `--(\\[no-\\])?" + Pattern.quote(option.ours()) + "`");
              }
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | 2 | migrate: a file is missing",
        "--wite x | 2 | migrate: unknown flag '--wite'",
        "/no/such.yml | 1 | migrate: /no/such.yml does not exist"
      })
  void saysWhatIsWrong(String line, int code, String problem) {
    assertThat(run(line.isEmpty() ? new String[0] : line.split(" "))).isEqualTo(code);
    assertThat(errors()).isEqualTo("lapwing: " + problem + "\n");
  }

  @Test
  void aFileWithoutAnExporterIsNamedAndTheOthersAreTranslated() throws Exception {
    Path other = Files.writeString(dir.resolve("a.yaml"), "kind: Pod\n");
    Path broken = Files.writeString(dir.resolve("b.yaml"), "a: [\n");

    assertThat(
            run(other.toString(), broken.toString(), EXAMPLES.resolve("arguments.txt").toString()))
        .isEqualTo(1);

    assertThat(errors()).contains("a.yaml: has no dcgm-exporter", "b.yaml:", "is not YAML");
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("--cadence.fast=200ms");
  }

  @Test
  void aScriptHasOneCommandOnEachLine() throws Exception {
    assertThat(
            settings(
                "a.sh",
                "#!/bin/sh\nset -e\nA=1 DCGM_EXPORTER_INTERVAL=2000 exec dcgm-exporter -n x -a :1\n"))
        .contains("--cadence.fast=2s", "--gpu.hostname-label=none", "--web.listen-address=:9400");
    assertThat(errors()).contains("a.sh:3: 'x' is not a flag; those after it are not read");
  }

  @Test
  void proseIsNoCommand() throws Exception {
    Path file = Files.writeString(dir.resolve("a.md"), "A page about dcgm-exporter and others\n");
    assertThat(run(file.toString())).isEqualTo(1);
  }

  @Test
  void aLineBreakInAValueCannotLeaveItsComment() throws Exception {
    assertThat(translate("a.txt", "dcgm-exporter '--x\nevil: true'\n").lines())
        .noneMatch(l -> l.startsWith("evil"));
  }
}
