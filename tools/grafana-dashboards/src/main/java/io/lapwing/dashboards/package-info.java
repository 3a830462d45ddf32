/** The Grafana dashboards, written by code so that one idea stands in one place. */
@NullMarked
package io.lapwing.dashboards;

import org.jspecify.annotations.NullMarked;
