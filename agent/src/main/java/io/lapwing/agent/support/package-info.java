/** {@code lapwing support-bundle}: the data of this node for a support case, in one file. */
@NullMarked
package io.lapwing.agent.support;

import org.jspecify.annotations.NullMarked;
