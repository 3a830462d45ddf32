/** Reads and writes JSON, the agent's own and that of the kubelet, NCCL and EC2. */
@NullMarked
package io.lapwing.json;

import org.jspecify.annotations.NullMarked;
