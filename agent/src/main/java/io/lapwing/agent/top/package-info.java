/** {@code lapwing top}: the node in a terminal. Only this package loads the terminal library. */
@NullMarked
package io.lapwing.agent.top;

import org.jspecify.annotations.NullMarked;
