/** What this process does about the memory it takes. */
@NullMarked
package io.lapwing.agent.memory;

import org.jspecify.annotations.NullMarked;
