// @ts-check
// Runs before the page is drawn, so that the chosen theme does not flash.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
