/** Reads JSON that other programs write: the kubelet, NCCL, EC2. */
@NullMarked
package io.lapwing.json;

import org.jspecify.annotations.NullMarked;
