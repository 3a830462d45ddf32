package io.lapwing.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The GPU models and instance types of {@code instances.yaml}. */
record InstanceCatalogue(List<InstanceType> types) {
  private static final String RESOURCE = "instances.yaml";

  static InstanceCatalogue load() {
    JsonNode root = Yaml.resource(RESOURCE);
    Map<String, GpuModel> models = new LinkedHashMap<>();
    root.path("gpus").properties().forEach(e -> models.put(e.getKey(), model(e.getValue())));
    List<InstanceType> types = new ArrayList<>();
    root.path("instances")
        .properties()
        .forEach(e -> types.add(type(e.getKey(), e.getValue(), models)));
    return new InstanceCatalogue(List.copyOf(types));
  }

  InstanceType named(String name) {
    return types.stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknown(name)));
  }

  private String unknown(String name) {
    List<String> known = types.stream().map(InstanceType::name).toList();
    return "unknown instance type '"
        + name
        + "'"
        + NearestName.of(name, known)
        + "; known are "
        + String.join(", ", known);
  }

  private static GpuModel model(JsonNode yaml) {
    Map<String, String> state = new LinkedHashMap<>();
    yaml.path("state").properties().forEach(e -> state.put(e.getKey(), e.getValue().asText()));
    List<String> mig = new ArrayList<>();
    yaml.path("mig").forEach(profile -> mig.add(profile.asText()));
    return new GpuModel(
        yaml.path("name").asText(),
        yaml.path("pci_device").asText(),
        yaml.path("link_speed").asText(),
        yaml.path("tokens_of_step").asInt(),
        mig,
        state);
  }

  private static InstanceType type(String name, JsonNode yaml, Map<String, GpuModel> models) {
    String model = yaml.path("gpu").asText();
    GpuModel gpu = models.get(model);
    if (gpu == null) {
      throw new IllegalStateException(RESOURCE + ": " + name + ": no GPU model " + model);
    }
    List<String> busIds = new ArrayList<>();
    yaml.path("bus_ids").forEach(id -> busIds.add(id.asText()));
    List<Integer> numaNodes = new ArrayList<>();
    yaml.path("numa_nodes").forEach(node -> numaNodes.add(node.asInt()));
    return new InstanceType(
        name,
        gpu,
        busIds,
        numaNodes,
        yaml.path("cpus").asInt(),
        yaml.has("efa") ? Optional.of(efa(yaml.path("efa"))) : Optional.empty(),
        switches(yaml.path("switches")));
  }

  private static EfaModel efa(JsonNode yaml) {
    return new EfaModel(
        yaml.path("pci_device").asText(),
        yaml.path("gbps").asInt(),
        yaml.path("link_speed").asText(),
        yaml.path("link_width").asInt(),
        EfaModel.Verbs.valueOf(yaml.path("verbs").asText().toUpperCase(Locale.ROOT)));
  }

  private static List<PciSwitch> switches(JsonNode yaml) {
    List<PciSwitch> switches = new ArrayList<>();
    for (JsonNode each : yaml) {
      switches.add(
          new PciSwitch(
              each.path("root").asText(),
              each.path("numa").asInt(),
              addresses(each.path("efa")),
              addresses(each.path("gpus")),
              addresses(each.path("mlx5"))));
    }
    return switches;
  }

  private static List<String> addresses(JsonNode yaml) {
    List<String> addresses = new ArrayList<>();
    yaml.forEach(each -> addresses.add("0000:" + each.asText()));
    return addresses;
  }
}
