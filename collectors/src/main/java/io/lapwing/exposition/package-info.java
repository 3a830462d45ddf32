/**
 * A reader for the Prometheus text format 0.0.4 and OpenMetrics that skips unwanted lines cheaply.
 */
@NullMarked
package io.lapwing.exposition;

import org.jspecify.annotations.NullMarked;
