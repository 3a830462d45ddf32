/** The losses of the jobs of a node, and when it is cheapest to end them. */
@NullMarked
package io.lapwing.drain.jobs;

import org.jspecify.annotations.NullMarked;
