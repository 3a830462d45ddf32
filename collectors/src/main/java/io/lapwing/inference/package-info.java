/**
 * Inference engines on this node: latencies, throughput, queues and caches from their own metrics,
 * under common names.
 */
@NullMarked
package io.lapwing.inference;

import org.jspecify.annotations.NullMarked;
