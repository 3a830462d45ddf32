/** The commands {@code check}, {@code clear}, {@code policy}, {@code replay}. */
@NullMarked
package io.lapwing.agent.cli;

import org.jspecify.annotations.NullMarked;
