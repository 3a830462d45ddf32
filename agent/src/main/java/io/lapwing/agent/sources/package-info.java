/** Runs the collectors: a worker per source, a deadline per call, a board for snapshots. */
@NullMarked
package io.lapwing.agent.sources;

import org.jspecify.annotations.NullMarked;
