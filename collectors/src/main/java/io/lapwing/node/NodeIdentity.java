package io.lapwing.node;

import io.lapwing.linux.SysFs;
import java.util.Map;

/**
 * What this node is. What cannot be read is an empty string.
 *
 * @param hostname as configured, or as the kernel tells it
 * @param instanceType such as {@code p5.48xlarge}, without the prefix of SageMaker HyperPod
 * @param instanceId such as {@code i-0123456789abcdef0}
 * @param vendor DMI's system vendor
 */
public record NodeIdentity(
    String hostname, Fact instanceType, Fact instanceId, String vendor, Placement placement) {

  private static final String AMAZON = "Amazon EC2";

  /** What the operator says of the node; empty where that is to be found out. */
  public record Configured(String instanceType, String instanceId) {

    public static final Configured NOTHING = new Configured("", "");
  }

  /** Reads {@code class/dmi/id/sys_vendor}, {@code product_name} and {@code board_asset_tag}. */
  public static NodeIdentity read(String hostname, Configured configured, SysFs sys) {
    String vendor = dmi(sys, "sys_vendor");
    boolean amazon = vendor.equals(AMAZON);
    String type = amazon ? dmi(sys, "product_name") : "";
    String id = amazon ? dmi(sys, "board_asset_tag") : "";
    return new NodeIdentity(
        hostname,
        type(configured.instanceType(), Origin.CONFIGURATION).or(type(type, Origin.DMI)),
        Fact.of(configured.instanceId(), Origin.CONFIGURATION).or(Fact.of(id, Origin.DMI)),
        vendor,
        Placement.UNKNOWN);
  }

  private static String dmi(SysFs sys, String file) {
    return sys.text("class/dmi/id/" + file).toOptional().orElse("");
  }

  private static Fact type(String name, Origin origin) {
    return Fact.of(InstanceTypes.plain(name), origin);
  }

  /** Whether the firmware says that this is an instance of EC2. */
  public boolean onEc2() {
    return vendor.equals(AMAZON);
  }

  /** This, with what the instance metadata service adds; what was known stays. */
  NodeIdentity with(Map<ImdsItem, String> told) {
    return new NodeIdentity(
        hostname,
        instanceType.or(type(told.getOrDefault(ImdsItem.INSTANCE_TYPE, ""), Origin.IMDS)),
        instanceId.or(Fact.of(told.getOrDefault(ImdsItem.INSTANCE_ID, ""), Origin.IMDS)),
        vendor,
        new Placement(
            told.getOrDefault(ImdsItem.REGION, ""),
            told.getOrDefault(ImdsItem.AVAILABILITY_ZONE, ""),
            told.getOrDefault(ImdsItem.AVAILABILITY_ZONE_ID, ""),
            told.getOrDefault(ImdsItem.LIFECYCLE, "")));
  }
}
