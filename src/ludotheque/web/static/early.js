// Runs before the page is drawn, so that a chosen theme does not flash.
document.documentElement.dataset.theme = localStorage.getItem("theme") ?? "auto";
