/** How short the node is of what every program needs: processors, memory, storage. */
@NullMarked
package io.lapwing.host;

import org.jspecify.annotations.NullMarked;
