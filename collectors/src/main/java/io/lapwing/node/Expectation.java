package io.lapwing.node;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * The hardware that a node should have.
 *
 * @param type its instance type; empty if unknown or not in the table
 * @param gpus from the configuration, else from the type
 * @param efaDevices from the configuration, else the maximum of the type
 */
public record Expectation(Optional<InstanceType> type, OptionalInt gpus, OptionalInt efaDevices) {}
