/** Renders the snapshot board and the agent's own metrics as the scrape response. */
@NullMarked
package io.lapwing.agent.metrics;

import org.jspecify.annotations.NullMarked;
