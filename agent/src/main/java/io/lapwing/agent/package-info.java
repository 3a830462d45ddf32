/** The process: its parts, start and end. */
@NullMarked
package io.lapwing.agent;

import org.jspecify.annotations.NullMarked;
