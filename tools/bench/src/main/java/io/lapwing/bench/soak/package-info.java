/** The agent for a long time on a node that breaks in every way: does it stay as it is? */
@NullMarked
package io.lapwing.bench.soak;

import org.jspecify.annotations.NullMarked;
