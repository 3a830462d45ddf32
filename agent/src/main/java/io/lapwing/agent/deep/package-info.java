/** {@code lapwing check --deep}: active tests of a node without a job. */
@NullMarked
package io.lapwing.agent.deep;

import org.jspecify.annotations.NullMarked;
