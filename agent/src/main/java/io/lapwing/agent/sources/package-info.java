/**
 * Runs the collectors: a thread for each source, a deadline for each call, a board for what they
 * saw.
 */
@NullMarked
package io.lapwing.agent.sources;

import org.jspecify.annotations.NullMarked;
