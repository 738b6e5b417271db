// Sets the remembered theme before anything is painted, so that no page flashes in the wrong one. Blocking, and a file of
// its own because the content security policy allows no inline script. Key and colours: src/shared/theme/theme.ts.
(() => {
  let theme = 'dark';
  try {
    theme = localStorage.getItem('wirebench.theme') === 'light' ? 'light' : 'dark';
  } catch {
    // Site data is blocked: dark, as for everybody who never chose.
  }
  document.documentElement.dataset.theme = theme;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', theme === 'light' ? '#FAF9F6' : '#141719');
})();

// Loads the polyfills before every module, in older browsers only: `URL.parse` is the newest API in use
// (docs/decisions/0027). Written into the document, because nothing else makes modules wait. They are beside this file.
if (!URL.parse) {
  const folder = new URL('.', document.currentScript.src).pathname;
  document.write(`<link rel="stylesheet" href="${folder}polyfills.css"><script src="${folder}polyfills.js"></script>`);
}

// Shows a message if the page's own script cannot be fetched or run. The app replaces it when it starts after all.
addEventListener(
  'error',
  () => {
    const root = document.getElementById('root');
    if (root && !root.firstChild) {
      root.textContent = 'Wirebench could not start. Reload the page, or open it in a current Chrome, Edge or Firefox.';
    }
  },
  true,
);
