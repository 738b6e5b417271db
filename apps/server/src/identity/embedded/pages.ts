/**
 * The pages of the embedded provider: complete documents that load no other files except font and icon. Style and
 * scripts are constants, so that the content policy can name them by hash.
 */
import { hash } from 'node:crypto';
import type { DemoAccount } from './demo-accounts.ts';
import { pageStyle, themeScript } from './page-style.ts';

/** Submits the sign-out form with its button, whose value is the answer. */
const signOutScript = `document.querySelector('button[name="logout"]').click();`;

/** The answer of Keycloak's login-status frame if the session is unchanged. */
const statusFrameScript = `addEventListener('message', (event) => {
  if (event.origin === location.origin) {
    event.source.postMessage('unchanged', event.origin);
  }
});`;

const hashOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`;

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

/** Returns the sign-out page around the library's form, which proves that the request came from here. */
export function signOutPage(form: string, { atOnce }: { atOnce: boolean }): string {
  return layout(
    'Sign out',
    `<p>${atOnce ? 'Signing out…' : 'This ends your session in this browser.'}</p>
    ${form}
    <button class="primary" form="op.logoutForm" name="logout" value="yes">Sign out</button>
    ${atOnce ? `<script>${signOutScript}</script>` : ''}`,
  );
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
