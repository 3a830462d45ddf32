package io.lapwing.node;

/**
 * Where the instance runs and how it is paid for, which only the instance metadata service tells.
 * What is not known is an empty string.
 *
 * @param region {@code us-east-1}
 * @param availabilityZone {@code us-east-1a}, which is another place in another account
 * @param availabilityZoneId {@code use1-az4}, which is the same place in every account
 * @param lifecycle {@code on-demand}, {@code spot}, {@code capacity-block}
 */
public record Placement(
    String region, String availabilityZone, String availabilityZoneId, String lifecycle) {

  public static final Placement UNKNOWN = new Placement("", "", "", "");
}
