package io.lapwing.node;

/**
 * Where the instance runs and how it is paid for, from the instance metadata service. Unknown texts
 * are empty.
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
