/** TLS, basic authentication and rate limiting. Loaded only if configured. */
@NullMarked
package io.lapwing.agent.web.security;

import org.jspecify.annotations.NullMarked;
