/** Text for people at a terminal. */
@NullMarked
package io.lapwing.agent.text;

import org.jspecify.annotations.NullMarked;
