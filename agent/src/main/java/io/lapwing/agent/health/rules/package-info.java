/** The rules, one file each. */
@NullMarked
package io.lapwing.agent.health.rules;

import org.jspecify.annotations.NullMarked;
