/** How the kubelet is asked: gRPC over its socket. */
@NullMarked
package io.lapwing.kubelet;

import org.jspecify.annotations.NullMarked;
