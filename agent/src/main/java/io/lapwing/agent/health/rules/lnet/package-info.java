/** Reasons why Lustre's network may hold a node up. */
@NullMarked
package io.lapwing.agent.health.rules.lnet;

import org.jspecify.annotations.NullMarked;
