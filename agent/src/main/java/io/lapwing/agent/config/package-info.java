/** The settings, read from flags, environment and file into one immutable value. */
@NullMarked
package io.lapwing.agent.config;

import org.jspecify.annotations.NullMarked;
