/** The program: options, the loop, HTTP and commands. Everything else is decided elsewhere. */
@NullMarked
package io.lapwing.drain.app;

import org.jspecify.annotations.NullMarked;
