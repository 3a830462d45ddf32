/** What the operator may set, from flags, environment and file, as one immutable value. */
@NullMarked
package io.lapwing.agent.config;

import org.jspecify.annotations.NullMarked;
