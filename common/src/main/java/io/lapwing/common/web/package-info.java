/** The HTTP server and its pages. Jetty and Javalin are used in this package only. */
@NullMarked
package io.lapwing.common.web;

import org.jspecify.annotations.NullMarked;
