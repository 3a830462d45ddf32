/**
 * Reads what other programs expose for Prometheus: the text format 0.0.4 and OpenMetrics. Made for
 * pages of which a twentieth is wanted: the rest is passed over in the bytes and costs no object.
 */
@NullMarked
package io.lapwing.exposition;

import org.jspecify.annotations.NullMarked;
