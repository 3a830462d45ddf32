// Not a module: runs before the first paint, so that dark mode does not flash white.
"use strict";

(() => {
  const KEY = "lapwing-theme";
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  function kept() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // storage disabled
    }
  }

  function apply(theme) {
    root.dataset.theme = theme;
    const button = document.getElementById("theme");
    if (button) {
      button.textContent = theme === "dark" ? "☀ light" : "☾ dark";
    }
    document.dispatchEvent(new Event("lapwing-theme"));
  }

  function wanted() {
    return kept() ?? (dark.matches ? "dark" : "light");
  }

  apply(wanted());
  dark.addEventListener("change", () => apply(wanted()));
  document.addEventListener("DOMContentLoaded", () => {
    apply(wanted());
    document.getElementById("theme").addEventListener("click", () => {
      const other = root.dataset.theme === "dark" ? "light" : "dark";
      try {
        localStorage.setItem(KEY, other);
      } catch {
        // not stored: applies to this page view only
      }
      apply(other);
    });
  });
})();
