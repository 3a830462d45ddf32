/** What happened on this node, kept over restarts. */
@NullMarked
package io.lapwing.agent.events;

import org.jspecify.annotations.NullMarked;
