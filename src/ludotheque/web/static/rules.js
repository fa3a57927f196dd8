// What is too wide for the screen can be scrolled by keyboard too.

for (const wide of document.querySelectorAll(".prose pre, .prose table")) {
  if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
}
