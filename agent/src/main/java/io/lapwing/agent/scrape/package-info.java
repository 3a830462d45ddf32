/** The board and the agent's own metrics as a page of text. */
@NullMarked
package io.lapwing.agent.scrape;

import org.jspecify.annotations.NullMarked;
