package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * Draws the screen and reads keys until the reader quits. The terminal is restored, also after
 * Ctrl-C, SIGTERM and an exception.
 */
final class TerminalLoop {

  private static final long TICK_MILLIS = 200;

  /** The rest of a key's escape sequence is there at once, over ssh within a round trip. */
  private static final long SEQUENCE_MILLIS = 50;

  private static final int MAX_SEQUENCE = 8;
  private static final int ESC = 27;

  private final Feed feed;
  private final InstantSource clock;
  private final boolean color;
  private volatile boolean resized = true;
  private volatile boolean interrupted;

  TerminalLoop(Feed feed, InstantSource clock, boolean color) {
    this.feed = feed;
    this.clock = clock;
    this.color = color;
  }

  /** The exit code. */
  int run(View start) throws IOException, InterruptedException {
    // Only this provider: it needs no native library in a directory that may be noexec.
    Terminal terminal = TerminalBuilder.builder().system(true).provider("exec").dumb(false).build();
    Takeover takeover = new Takeover(terminal);
    Thread hook = new Thread(takeover::giveBack, "restore-terminal");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      takeover.take();
      terminal.handle(Signal.WINCH, signal -> resized = true);
      terminal.handle(Signal.INT, signal -> interrupted = true);
      // A stopped program would leave the shell without echo.
      terminal.handle(Signal.TSTP, SignalHandler.SIG_IGN);
      loop(terminal, start);
    } finally {
      takeover.giveBack();
    }
    return 0;
  }

  private void loop(Terminal terminal, View start) throws IOException {
    Display display = new Display(terminal, true);
    Poller poller = new Poller(feed, Watch.start(clock.instant()), start.interval());
    poller.start();
    View view = start;
    Size size = sizeOf(terminal);
    while (!interrupted) {
      if (resized) {
        resized = false;
        size = sizeOf(terminal);
        display.resize(size.getRows(), size.getColumns());
        display.clear();
      }
      draw(display, poller.watch(), view, size);
      Optional<Key> key = read(terminal.reader());
      if (key.isPresent()) {
        if (key.get() == Key.Named.REDRAW) {
          resized = true;
        }
        Optional<View> next = Keyboard.press(key.get(), view, Math.max(1, size.getRows() - 5));
        if (next.isEmpty()) {
          return;
        }
        view = within(next.get(), poller.watch(), size);
        poller.follow(view);
      }
    }
  }

  /** A serial console, or a terminal made by a program, may have no size. */
  private static Size sizeOf(Terminal terminal) {
    Size size = terminal.getSize();
    return size.getColumns() > 0 && size.getRows() > 0 ? size : new Size(80, 24);
  }

  private View within(View view, Watch watch, Size size) {
    return Screen.bounded(view, watch, clock.instant(), size.getColumns(), size.getRows());
  }

  private void draw(Display display, Watch watch, View view, Size size) {
    Instant now = clock.instant();
    // The display removes what it scrolls away.
    List<AttributedString> lines = new ArrayList<>();
    Screen.of(watch, view, now, size.getColumns(), size.getRows())
        .forEach(line -> lines.add(painted(line)));
    display.update(lines, 0);
  }

  private AttributedString painted(Line line) {
    AttributedStringBuilder text = new AttributedStringBuilder();
    for (Span span : line.spans()) {
      text.append(span.text(), color ? style(span.tone()) : AttributedStyle.DEFAULT);
    }
    return text.toAttributedString();
  }

  private static AttributedStyle style(Tone tone) {
    AttributedStyle plain = AttributedStyle.DEFAULT;
    return switch (tone) {
      case PLAIN -> plain;
      case TITLE -> plain.bold();
      case DIM -> plain.faint();
      case GOOD -> plain.foreground(AttributedStyle.GREEN);
      case WARN -> plain.foreground(AttributedStyle.YELLOW);
      case BAD -> plain.bold().foreground(AttributedStyle.RED);
      case UNKNOWN -> plain.foreground(AttributedStyle.MAGENTA);
      case ALERT -> plain.bold().foreground(AttributedStyle.WHITE).background(AttributedStyle.RED);
    };
  }

  /** The next key; empty after a moment without one. */
  private static Optional<Key> read(NonBlockingReader in) throws IOException {
    int first = in.read(TICK_MILLIS);
    if (first == NonBlockingReader.READ_EXPIRED) {
      return Optional.empty();
    }
    if (first != ESC) {
      return Optional.of(Key.of(first));
    }
    StringBuilder sequence = new StringBuilder();
    while (sequence.length() < MAX_SEQUENCE) {
      int next = in.read(SEQUENCE_MILLIS);
      if (next < 0) {
        break;
      }
      sequence.append((char) next);
      boolean introduces = sequence.length() == 1 && (next == '[' || next == 'O');
      if (!introduces && (next == '~' || Character.isLetter(next))) {
        break;
      }
    }
    return Optional.of(Key.ofSequence(sequence.toString()));
  }

  /** The terminal while it is used, and its earlier settings. */
  private static final class Takeover {
    private final Terminal terminal;
    private final Attributes before;
    private boolean given;

    Takeover(Terminal terminal) {
      this.terminal = terminal;
      this.before = terminal.getAttributes();
    }

    void take() {
      terminal.enterRawMode();
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      terminal.puts(Capability.keypad_xmit);
      terminal.flush();
    }

    synchronized void giveBack() {
      if (given) {
        return;
      }
      given = true;
      terminal.puts(Capability.keypad_local);
      terminal.puts(Capability.cursor_normal);
      terminal.puts(Capability.exit_ca_mode);
      terminal.flush();
      terminal.setAttributes(before);
      try {
        terminal.close();
      } catch (IOException gone) {
        // Nothing is left to restore.
      }
    }
  }
}
