/** The agent's web pages: the only package that knows the web server. */
@NullMarked
package io.lapwing.agent.web;

import org.jspecify.annotations.NullMarked;
