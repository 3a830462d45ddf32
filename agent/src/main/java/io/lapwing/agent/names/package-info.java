/** Translates dashboards and rule files between the names of dcgm-exporter's releases. */
@NullMarked
package io.lapwing.agent.names;

import org.jspecify.annotations.NullMarked;
