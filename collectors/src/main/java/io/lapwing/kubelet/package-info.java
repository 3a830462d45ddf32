/** A client of the kubelet's pod resources API: gRPC over a Unix socket. */
@NullMarked
package io.lapwing.kubelet;

import org.jspecify.annotations.NullMarked;
