/** {@code lapwing support-bundle}: what a support case needs of this node, in one file. */
@NullMarked
package io.lapwing.agent.support;

import org.jspecify.annotations.NullMarked;
