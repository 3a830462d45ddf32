package io.lapwing.node;

import io.lapwing.linux.SysRoot;

/**
 * What this node is. What cannot be read is an empty string.
 *
 * @param hostname as configured, or as the kernel tells it
 * @param instanceType such as {@code p5.48xlarge}: DMI's product name where Amazon is the vendor
 * @param instanceId such as {@code i-0123456789abcdef0}: DMI's board asset tag there
 * @param vendor DMI's system vendor
 */
public record NodeIdentity(String hostname, String instanceType, String instanceId, String vendor) {

  private static final String AMAZON = "Amazon EC2";

  /** Reads {@code class/dmi/id/sys_vendor}, {@code product_name} and {@code board_asset_tag}. */
  public static NodeIdentity read(String hostname, SysRoot sys) {
    String vendor = dmi(sys, "sys_vendor");
    boolean amazon = vendor.equals(AMAZON);
    return new NodeIdentity(
        hostname,
        amazon ? dmi(sys, "product_name") : "",
        amazon ? dmi(sys, "board_asset_tag") : "",
        vendor);
  }

  private static String dmi(SysRoot sys, String file) {
    return sys.text("class/dmi/id/" + file).toOptional().orElse("");
  }
}
