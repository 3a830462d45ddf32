package io.lapwing.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How GPUs are read and labelled.
 *
 * @param library the NVML library to load; empty to search for {@code libnvidia-ml.so.1}
 * @param fields a field list in dcgm-exporter's CSV form; empty for every field
 * @param xidWindow how long an XID counts as recent
 */
public record GpuSettings(
    Optional<Path> library,
    Optional<Path> fields,
    HostnameLabel hostnameLabel,
    LabelSet labels,
    Duration xidWindow) {}
