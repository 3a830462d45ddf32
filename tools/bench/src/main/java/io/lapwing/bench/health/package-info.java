/** Cost and latency of health evaluation in a running agent. */
@NullMarked
package io.lapwing.bench.health;

import org.jspecify.annotations.NullMarked;
