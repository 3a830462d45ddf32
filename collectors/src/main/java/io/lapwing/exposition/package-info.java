/** A reader for the Prometheus text format 0.0.4 and OpenMetrics; skips unwanted lines cheaply. */
@NullMarked
package io.lapwing.exposition;

import org.jspecify.annotations.NullMarked;
