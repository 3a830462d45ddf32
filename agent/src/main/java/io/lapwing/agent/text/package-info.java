/** Text output for terminals. */
@NullMarked
package io.lapwing.agent.text;

import org.jspecify.annotations.NullMarked;
