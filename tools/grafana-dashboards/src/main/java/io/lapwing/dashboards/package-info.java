/** Generates the Grafana dashboards, so that scales, columns and queries are defined once. */
@NullMarked
package io.lapwing.dashboards;

import org.jspecify.annotations.NullMarked;
