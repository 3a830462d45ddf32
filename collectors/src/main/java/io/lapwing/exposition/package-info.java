/**
 * A reader for the Prometheus text format 0.0.4 and OpenMetrics. Optimized for inputs of which a
 * twentieth is wanted: the rest is skipped without creating objects.
 */
@NullMarked
package io.lapwing.exposition;

import org.jspecify.annotations.NullMarked;
