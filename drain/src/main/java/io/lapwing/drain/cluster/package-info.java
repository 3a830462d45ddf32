/** The scheduler: the state of nodes and jobs, and commands. */
@NullMarked
package io.lapwing.drain.cluster;

import org.jspecify.annotations.NullMarked;
