/** What the scheduler says about nodes and jobs, and what it is told. */
@NullMarked
package io.lapwing.drain.cluster;

import org.jspecify.annotations.NullMarked;
