/** The rules on Lustre's network. */
@NullMarked
package io.lapwing.agent.health.rules.lnet;

import org.jspecify.annotations.NullMarked;
