/** The verdicts of agents, asked over HTTP. */
@NullMarked
package io.lapwing.drain.intake.agents;

import org.jspecify.annotations.NullMarked;
