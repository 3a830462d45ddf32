package io.lapwing.agent.top;

import io.lapwing.agent.top.View.Section;
import java.util.List;
import java.util.Optional;

/** The view after a key; empty to quit. */
final class Keyboard {

  private static final int END = 1_000_000;

  private Keyboard() {}

  /**
   * The view after a key.
   *
   * @param page lines of a page
   */
  static Optional<View> press(Key key, View view, int page) {
    if (key == Key.Named.INTERRUPT || key == Key.Named.GONE) {
      return Optional.empty();
    }
    if (view.typing()) {
      return Optional.of(type(key, view));
    }
    if (key instanceof Key.Typed typed) {
      return letter(typed.character(), view);
    }
    return Optional.of(
        switch ((Key.Named) key) {
          case UP -> view.scrolled(-1);
          case DOWN -> view.scrolled(1);
          case PAGE_UP -> view.scrolled(-page);
          case PAGE_DOWN -> view.scrolled(page);
          case HOME -> view.scrolled(-view.scroll());
          case END -> view.scrolled(END);
          case TAB -> view.nextSection();
          case ESCAPE -> view.show(Section.ALL).filtered("");
          default -> view;
        });
  }

  private static Optional<View> letter(char letter, View view) {
    return switch (letter) {
      case 'q', 'Q' -> Optional.empty();
      case 'h', '?' -> Optional.of(view.toggleHelp());
      case 's' -> Optional.of(view.nextSort());
      case 'p' -> Optional.of(view.togglePause());
      case ' ' -> Optional.of(view.togglePause());
      case '+' -> Optional.of(view.slower());
      case '-' -> Optional.of(view.faster());
      case '/' -> Optional.of(view.typing(true));
      case 'j' -> Optional.of(view.scrolled(1));
      case 'k' -> Optional.of(view.scrolled(-1));
      case 'g' -> Optional.of(view.scrolled(-view.scroll()));
      case 'G' -> Optional.of(view.scrolled(END));
      case '0', '1', '2', '3', '4', '5' ->
          Optional.of(view.show(List.of(Section.values()).get(letter - '0')));
      default -> Optional.of(view);
    };
  }

  private static View type(Key key, View view) {
    String text = view.filter();
    if (key instanceof Key.Typed typed) {
      return view.filtered(text + typed.character());
    }
    return switch ((Key.Named) key) {
      case ENTER -> view.typing(false);
      case ESCAPE -> view.filtered("").typing(false);
      case BACKSPACE -> view.filtered(text.isEmpty() ? "" : text.substring(0, text.length() - 1));
      default -> view;
    };
  }
}
