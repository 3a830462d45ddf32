package io.lapwing.agent.config;

import java.nio.file.Path;

/** Where the node is: point these at a folder and the folder is the node. */
public record PathSettings(Path sysfs, Path procfs, Path rootfs, Path kmsg, Path state) {}
