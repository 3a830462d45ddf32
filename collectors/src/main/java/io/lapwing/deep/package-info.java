/** Results of {@code lapwing check --deep}, as the command writes them and the agent reads them. */
@NullMarked
package io.lapwing.deep;

import org.jspecify.annotations.NullMarked;
