/**
 * {@code lapwing check}: how this node is, for a person or a script. It asks the agent that runs,
 * and knows neither the web server nor any device.
 */
@NullMarked
package io.lapwing.agent.check;

import org.jspecify.annotations.NullMarked;
