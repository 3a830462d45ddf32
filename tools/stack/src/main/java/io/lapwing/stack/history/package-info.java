/** How often alerts would have fired, by the samples of a Prometheus. */
@NullMarked
package io.lapwing.stack.history;

import org.jspecify.annotations.NullMarked;
