/** How much of a cluster may be taken. */
@NullMarked
package io.lapwing.drain.guard;

import org.jspecify.annotations.NullMarked;
