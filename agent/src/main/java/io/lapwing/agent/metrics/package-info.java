/** The board and the agent's own metrics as a page of text. */
@NullMarked
package io.lapwing.agent.metrics;

import org.jspecify.annotations.NullMarked;
