/**
 * The pages of the embedded provider: complete documents that load no other files except font and icon. Style and
 * scripts are constants, so that the content policy can name them by hash.
 */
import { hash } from 'node:crypto';
import { signInFontPath } from '@wirebench/contract';
import type { DemoAccount } from './demo-accounts.ts';

/** Submits the sign-out form with its button, whose value is the answer. */
const signOutScript = `document.querySelector('button[name="logout"]').click();`;

/** The answer of Keycloak's login-status frame if the session is unchanged. */
const statusFrameScript = `addEventListener('message', (event) => {
  if (event.origin === location.origin) {
    event.source.postMessage('unchanged', event.origin);
  }
});`;

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Applies the theme that was chosen in the app. The default is dark (`apps/web/public/theme.js`). */
const themeScript = `try {
  document.documentElement.dataset.theme = localStorage.getItem('wirebench.theme') === 'light' ? 'light' : 'dark';
} catch {}`;

/**
 * Style of the provider's pages: the product's font, and its design tokens' colours in both themes. The font is a
 * file of the built web app (`apps/web/sign-in-font.ts`). Without it, the system's font is used.
 */
const pageStyle = `
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

/** Returns the content policy of these pages. The library adds the hash of its own form script where needed. */
export function pageContentPolicy({ framed }: { framed: boolean }): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(pageStyle)}`,
    `script-src ${framed ? hashOf(statusFrameScript) : `${hashOf(themeScript)} ${hashOf(signOutScript)}`}`,
    ...(framed ? [] : ["font-src 'self'", "img-src 'self'"]),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ');
}

/**
 * Returns the login page with a button for each account.
 *
 * @param action Address that the form is posted to.
 */
export function demoLoginPage(accounts: readonly DemoAccount[], action: string): string {
  const rows = accounts.map(
    ({ username, name, purpose }) => `<li><button class="account" name="account" value="${escapeHtml(username)}">
        <span class="initial" aria-hidden="true">${escapeHtml(name.charAt(0))}</span>
        <span><strong>${escapeHtml(name)}</strong> <code>${escapeHtml(username)}</code><br><small>${escapeHtml(purpose)}</small></span>
      </button></li>`,
  );
  return layout(
    'Sign in',
    `<p>Choose a demo account. Anyone who can reach this server can use these accounts.</p>
    <form method="post" action="${escapeHtml(action)}">
      <ul>${rows.join('')}</ul>
      <button class="quiet" name="cancel" value="yes">Cancel</button>
    </form>`,
  );
}

export interface PasswordPageOptions {
  /** Address that the form is posted to. */
  readonly action: string;
  /** The name that was typed before. */
  readonly username?: string;
  readonly failure?: LoginFailure;
}

type LoginFailure = 'refused' | 'limited';

const loginFailureText = {
  refused: 'The name or the password is wrong.',
  limited: 'Too many attempts. Wait 15 minutes, then try again.',
} satisfies Record<LoginFailure, string>;

/** Returns the login page with name and password, with the attributes that password managers look for. */
export function passwordPage({ action, username = '', failure }: PasswordPageOptions): string {
  const described = failure === undefined ? '' : ' aria-invalid="true" aria-describedby="failure"';
  // After a failure, the password has to be typed again.
  const focus = (field: 'username' | 'password') => ((username === '') === (field === 'username') ? ' autofocus' : '');
  return layout(
    'Sign in',
    `${failure === undefined ? '' : `<p id="failure" class="failure" role="alert">${loginFailureText[failure]}</p>`}
    <form method="post" action="${escapeHtml(action)}">
      <label for="username">Name</label>
      <input id="username" name="username" type="text" value="${escapeHtml(username)}" required maxlength="100" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${focus('username')}${described}>
      <label for="password">Password</label>
      <input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password"${focus('password')}${described}>
      <button class="primary">Sign in</button>
      <button class="quiet" name="cancel" value="yes" formnovalidate>Cancel</button>
    </form>`,
  );
}

/**
 * Returns the sign-out page around the library's form, which proves that the request came from here.
 *
 * @param atOnce True: the page submits the form itself and shows no button.
 */
export function signOutPage(form: string, { atOnce }: { atOnce: boolean }): string {
  const button = (attributes: string) =>
    `<button class="primary" form="op.logoutForm" name="logout" value="yes"${attributes}>Sign out</button>`;
  return atOnce
    ? layout('Signing out…', `${form}${button(' hidden')}<script>${signOutScript}</script>`)
    : layout('Sign out', `<p>This ends your session in this browser.</p>${form}${button('')}`);
}

export function signedOutPage(home: string): string {
  return layout('Signed out', `<p>Your session has ended.</p><p><a href="${escapeHtml(home)}">Go to Wirebench</a></p>`);
}

/**
 * Returns the error page.
 *
 * @param code OAuth's error code, for support.
 * @param detail A sentence with more information, if available.
 */
export function errorPage(code: string, detail?: string): string {
  return layout(
    'Sign-in failed',
    `<p>Close this window and sign in again.</p>
    <p class="detail"><code>${escapeHtml(code)}</code>${detail === undefined ? '' : `<br>${escapeHtml(detail)}`}</p>`,
  );
}

/** Returns the document that Keycloak's client loads into a frame. */
export function statusFramePage(): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Login status</title><script>${statusFrameScript}</script></html>`;
}

function layout(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="/favicon.svg" type="image/svg+xml">
    <script>${themeScript}</script>
    <title>${title}: Wirebench</title>
    <style>${pageStyle}</style>
  </head>
  <body>
    <main>
    <p class="product">Wirebench</p>
    <h1>${title}</h1>
    ${content}
    </main>
  </body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
