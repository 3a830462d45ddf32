package io.lapwing.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an agent is to say of a scenario with a training job: {@code job-scenarios.yaml}, whose head
 * says how it is read.
 *
 * @param rank the rank that the evidence is about; empty for every rank
 * @param cause of its lost time; empty if it loses none
 * @param evidence a text that its sentence has
 * @param waiting cause of the time that the other ranks lose by waiting for it
 * @param verdict of the node once all of this is said
 * @param findings rules that open; no other may
 * @param efa whether the node has EFA devices, of which simulator and agent keep thousands of files
 *     open
 */
record JobScenario(
    String scenario,
    String rank,
    String cause,
    String evidence,
    String waiting,
    String verdict,
    Set<String> findings,
    boolean efa) {

  JobScenario {
    findings = Set.copyOf(findings);
  }

  @Override
  public String toString() {
    return scenario;
  }

  static List<JobScenario> all() {
    try (InputStream file = JobScenario.class.getResourceAsStream("/job-scenarios.yaml")) {
      List<JobScenario> all = new ArrayList<>();
      for (Map.Entry<String, JsonNode> one : new YAMLMapper().readTree(file).properties()) {
        all.add(of(one.getKey(), one.getValue()));
      }
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JobScenario of(String scenario, JsonNode yaml) {
    Set<String> findings = new TreeSet<>();
    yaml.path("findings").forEach(rule -> findings.add(rule.asText()));
    return new JobScenario(
        scenario,
        yaml.path("rank").asText(""),
        yaml.path("cause").asText(""),
        yaml.path("evidence").asText(""),
        yaml.path("waiting").asText(""),
        yaml.path("verdict").asText("healthy"),
        findings,
        yaml.path("efa").asBoolean());
  }
}
