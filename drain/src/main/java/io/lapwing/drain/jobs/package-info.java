/** What the jobs of a node stand to lose, and when it is cheapest to end them. */
@NullMarked
package io.lapwing.drain.jobs;

import org.jspecify.annotations.NullMarked;
