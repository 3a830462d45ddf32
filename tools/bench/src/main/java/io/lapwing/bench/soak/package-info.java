/** A long run of the agent with all faults, to find growth. */
@NullMarked
package io.lapwing.bench.soak;

import org.jspecify.annotations.NullMarked;
