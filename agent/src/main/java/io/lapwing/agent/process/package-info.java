/** Process lifecycle: service manager notification, signals, startup and shutdown. */
@NullMarked
package io.lapwing.agent.process;

import org.jspecify.annotations.NullMarked;
