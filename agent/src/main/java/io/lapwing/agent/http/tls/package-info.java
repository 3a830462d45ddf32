/** TLS of the JDK, from PEM files; loaded only where TLS is configured. */
@NullMarked
package io.lapwing.agent.http.tls;

import org.jspecify.annotations.NullMarked;
