package io.lapwing.agent.config;

import io.lapwing.agent.health.Profile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the node's health is judged.
 *
 * @param profile what the operator asks for; empty leaves it to the policy file, and else it is
 *     {@code aws}
 * @param policy the site's policy file
 * @param expectedGpus how many GPUs there should be; empty goes by the instance type
 * @param expectedEfaDevices how many EFA devices there should be; empty goes by the instance type
 */
public record HealthSettings(
    Optional<Profile> profile,
    Optional<Path> policy,
    OptionalInt expectedGpus,
    OptionalInt expectedEfaDevices) {}
