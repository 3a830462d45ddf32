package io.lapwing.node;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a node should have.
 *
 * @param type its instance type; empty where that is not known, or not to Lapwing
 * @param gpus by the operator's word, else by the type
 * @param efaDevices by the operator's word, else the most that the type can have
 */
public record Expectation(Optional<InstanceType> type, OptionalInt gpus, OptionalInt efaDevices) {}
