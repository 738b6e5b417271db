/**
 * Style of the provider's pages: the product's font, and its design tokens' colours in both themes. The font is a
 * file of the built web app (`apps/web/sign-in-font.ts`). Without it, the system's font is used.
 */
import { signInFontPath } from '@wirebench/contract';

/** Applies the theme that was chosen in the app. The default is dark (`apps/web/public/theme.js`). */
export const themeScript = `try {
  document.documentElement.dataset.theme = localStorage.getItem('wirebench.theme') === 'light' ? 'light' : 'dark';
} catch {}`;

export const pageStyle = `
@font-face {
  font-family: "IBM Plex Sans Variable"; font-weight: 100 700; font-display: swap;
  src: url("${signInFontPath}") format("woff2");
}
:root {
  color-scheme: dark;
  --bg: #0E1011; --surface: #141719; --hover: #20262A; --border: #272D30; --control: #667177;
  --text: #ECEEEC; --muted: #B1B9BB; --accent: #FFB224; --on-accent: #1B1200; --link: #FFB224; --danger: #FF8178;
}
:root[data-theme="light"] {
  color-scheme: light;
  --bg: #F2F1EC; --surface: #FAF9F6; --hover: #EBE9E2; --border: #DAD7CD; --control: #85837A;
  --text: #17191A; --muted: #474D50; --accent: #F5A60F; --on-accent: #1B1200; --link: #835000; --danger: #B3231B;
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px;
  background: var(--bg); color: var(--text);
  font: 14px/22px "IBM Plex Sans Variable", "IBM Plex Sans", system-ui, sans-serif;
}
main { width: 100%; max-width: 420px; padding: 24px; background: var(--surface); border: 1px solid var(--border); border-radius: 6px; }
.product {
  margin: 0 0 4px; color: var(--muted); text-transform: uppercase; letter-spacing: .08em;
  font: 600 12px/16px "IBM Plex Sans Condensed", "IBM Plex Sans", system-ui, sans-serif;
}
h1 { margin: 0 0 12px; padding-bottom: 12px; border-bottom: 1px solid var(--accent); font-size: 20px; line-height: 28px; font-weight: 600; }
p { margin: 0 0 16px; color: var(--muted); }
ul { list-style: none; margin: 0 0 16px; padding: 0; display: grid; gap: 8px; }
code { font: 12px/16px "JetBrains Mono Variable", "JetBrains Mono", ui-monospace, monospace; color: var(--muted); }
small { font-size: 12px; line-height: 16px; color: var(--muted); }
a { color: var(--link); }
.detail { overflow-wrap: anywhere; }
button { font: inherit; color: inherit; cursor: pointer; border-radius: 4px; border: 1px solid var(--control); background: transparent; padding: 6px 14px; }
button:hover { background: var(--hover); }
label { display: block; margin: 0 0 4px; font-weight: 600; }
input {
  display: block; width: 100%; margin: 0 0 16px; padding: 8px 10px; font: inherit; color: inherit;
  background: var(--bg); border: 1px solid var(--control); border-radius: 4px;
}
input[aria-invalid="true"] { border-color: var(--danger); }
.failure { color: var(--danger); }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.account { display: flex; gap: 12px; align-items: center; width: 100%; padding: 12px; text-align: left; }
.initial {
  flex: none; display: grid; place-items: center; width: 36px; height: 36px; border-radius: 4px;
  background: var(--accent); color: var(--on-accent); font-weight: 600; font-size: 16px;
}
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.primary:hover { background: var(--accent); filter: brightness(1.08); }
.quiet { border-color: transparent; color: var(--muted); }
`;
