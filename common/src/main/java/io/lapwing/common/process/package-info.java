/** Process lifecycle: service manager notification, signals, startup and shutdown. */
@NullMarked
package io.lapwing.common.process;

import org.jspecify.annotations.NullMarked;
