/** TLS, basic authentication and rate limiting. Loaded only if configured. */
@NullMarked
package io.lapwing.common.web.security;

import org.jspecify.annotations.NullMarked;
