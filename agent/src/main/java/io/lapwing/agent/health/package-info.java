/** The health model: the rules' input and results, policies and the report. Reads no device. */
@NullMarked
package io.lapwing.agent.health;

import org.jspecify.annotations.NullMarked;
