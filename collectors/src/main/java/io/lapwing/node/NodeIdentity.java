package io.lapwing.node;

import io.lapwing.linux.SysFs;
import io.lapwing.node.Imds.ImdsItem;
import java.util.Map;

/**
 * The identity of this node. Unknown texts are empty.
 *
 * @param hostname as configured, or the kernel's
 * @param instanceType such as {@code p5.48xlarge}, without the prefix of SageMaker HyperPod
 * @param instanceId such as {@code i-0123456789abcdef0}
 * @param vendor DMI's system vendor
 */
public record NodeIdentity(
    String hostname, Fact instanceType, Fact instanceId, String vendor, Placement placement) {

  private static final String AMAZON = "Amazon EC2";

  /** The configured identity; empty texts are detected. */
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

  /** Whether this is an EC2 instance by its firmware. */
  public boolean onEc2() {
    return vendor.equals(AMAZON);
  }

  /** Adds values of the instance metadata service where they were unknown. */
  NodeIdentity with(Map<ImdsItem, String> items) {
    return new NodeIdentity(
        hostname,
        instanceType.or(type(items.getOrDefault(ImdsItem.INSTANCE_TYPE, ""), Origin.IMDS)),
        instanceId.or(Fact.of(items.getOrDefault(ImdsItem.INSTANCE_ID, ""), Origin.IMDS)),
        vendor,
        new Placement(
            items.getOrDefault(ImdsItem.REGION, ""),
            items.getOrDefault(ImdsItem.AVAILABILITY_ZONE, ""),
            items.getOrDefault(ImdsItem.AVAILABILITY_ZONE_ID, ""),
            items.getOrDefault(ImdsItem.LIFECYCLE, "")));
  }

  /** A property of the node with its origin; the text is empty while unknown. */
  public record Fact(String text, Origin origin) {

    public static final Fact UNKNOWN = new Fact("", Origin.UNKNOWN);

    /** {@link #UNKNOWN} for an empty text. */
    static Fact of(String text, Origin origin) {
      return text.isEmpty() ? UNKNOWN : new Fact(text, origin);
    }

    /** This, or the other if this is unknown. */
    Fact or(Fact other) {
      return text.isEmpty() ? other : this;
    }
  }

  /**
   * Where the instance runs and how it is paid for, from the instance metadata service. Unknown
   * texts are empty.
   *
   * @param region {@code us-east-1}
   * @param availabilityZone {@code us-east-1a}, a different zone in each account
   * @param availabilityZoneId {@code use1-az4}, the same zone in every account
   * @param lifecycle {@code on-demand}, {@code spot}, {@code capacity-block}
   */
  public record Placement(
      String region, String availabilityZone, String availabilityZoneId, String lifecycle) {

    public static final Placement UNKNOWN = new Placement("", "", "", "");
  }
}
