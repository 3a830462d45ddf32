/** What the node's own page shows of this moment, made of the board when somebody asks. */
@NullMarked
package io.lapwing.agent.live;

import org.jspecify.annotations.NullMarked;
