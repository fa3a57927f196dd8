// @ts-check
// The offline page: opens the page that was asked for as soon as the server can be reached again.

const SECONDS = 5;

async function tryAgain() {
  const answer = await fetch("/health", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) location.reload();
}

document.querySelector("button")?.addEventListener("click", () => location.reload());
addEventListener("online", tryAgain);
setInterval(tryAgain, SECONDS * 1000);
