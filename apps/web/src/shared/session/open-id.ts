/**
 * Sign-in and sign-out at the identity provider: OpenID Connect's code flow with PKCE in a popup, and silently in a
 * hidden frame. Only this file uses oidc-client-ts. Its renewals (see session-keeper.ts) and its store are not used.
 */
import { staticPages } from '@wirebench/contract';
import { InMemoryWebStorage, type IWindow, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { publicConfig } from '../config/public-config.ts';
import { cacheProviderAnswers } from '../provider/cache-answers.ts';
import { isStorageFull } from '../storage/browser-storage.ts';
import { closedSignal, type Popup, popupSize } from './popup.ts';
import type { Session } from './session.ts';
import { SessionError, type SessionErrorCode } from './session-errors.ts';
import { readClaims, userInfoFrom } from './token-claims.ts';

/** Longest time until a started sign-in returns, in seconds: 1 hour. */
const LOGIN_STATE_AGE = 3_600;

/** Longest wait for a silent answer of the provider, in seconds. */
const SILENT_TIMEOUT = 10;

/**
 * A hidden frame that asks the provider for a session. The provider redirects it to `/silent-check-sso.html`, which
 * posts its address as plain text, as Keycloak's adapters expect.
 */
class SilentFrame implements IWindow {
  readonly #frame = document.createElement('iframe');
  readonly #timeout: number;

  /** @param timeout In seconds. */
  constructor(timeout: number) {
    this.#timeout = timeout;
    this.#frame.hidden = true;
    this.#frame.title = 'Sign-in check';
  }

  /**
   * Loads `url`, and resolves with the address of the provider's redirect.
   * @throws SessionError `no-valid-session` if it does not arrive.
   */
  async navigate({ url }: { readonly url: string }): Promise<{ url: string }> {
    const done = new AbortController();
    try {
      return await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new SessionError('no-valid-session')), this.#timeout * 1_000);
        done.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
        window.addEventListener(
          'message',
          ({ data, origin, source }) => {
            if (origin === location.origin && source === this.#frame.contentWindow && typeof data === 'string') {
              resolve({ url: data });
            }
          },
          { signal: done.signal },
        );
        this.#frame.src = url;
        document.body.append(this.#frame);
      });
    } finally {
      done.abort();
      this.close();
    }
  }

  close(): void {
    this.#frame.remove();
  }
}

async function userManager(): Promise<UserManager> {
  cacheProviderAnswers();
  const { oidc } = await publicConfig();
  const page = (path: string) => new URL(path, location.origin).href;
  const manager = new UserManager(
    {
      authority: oidc.issuer,
      client_id: oidc.clientId,
      scope: 'openid profile email',
      redirect_uri: page(staticPages.signInCallback),
      popup_redirect_uri: page(staticPages.signInCallback),
      popup_post_logout_redirect_uri: page(staticPages.signOutCallback),
      silent_redirect_uri: page(staticPages.silentCheck),
      popupWindowFeatures: popupSize,
      automaticSilentRenew: false,
      monitorSession: false,
      loadUserInfo: false,
      staleStateAgeInSeconds: LOGIN_STATE_AGE,
      stateStore: new WebStorageStateStore({ prefix: 'wirebench.sign-in.', store: localStorage }),
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    },
    undefined,
    undefined,
    { prepare: async () => new SilentFrame(SILENT_TIMEOUT), callback: async () => undefined },
  );
  await manager.clearStaleState();
  return manager;
}

/**
 * Signs the user in.
 * @throws SessionError `cancelled`, `storage-full`, `no-answer`, or `no-valid-session` for all other failures.
 */
export async function signInAt(popup: Popup): Promise<Session> {
  try {
    const manager = await userManager();
    if (popup.window.closed) {
      throw new SessionError('cancelled');
    }
    return await sessionOf(await manager.signinPopup({ popupWindowTarget: popup.name, popupAbortOnClose: true }));
  } catch (error) {
    popup.window.close();
    throw new SessionError(failureOf(error), { cause: error });
  }
}

function failureOf(error: unknown): SessionErrorCode {
  if (wasCancelled(error)) {
    return 'cancelled';
  }
  if (isStorageFull(error)) {
    return 'storage-full';
  }
  // `fetch` throws a TypeError if no answer arrives, and the library passes it on.
  return error instanceof TypeError ? 'no-answer' : 'no-valid-session';
}

/** Ends the provider's session too. Rejects if the window is closed before the provider has returned. */
export async function signOutAt(popup: Popup, session: Session): Promise<void> {
  const done = new AbortController();
  try {
    const manager = await userManager();
    await manager.signoutPopup({
      popupWindowTarget: popup.name,
      popupSignal: closedSignal(popup, done.signal),
      ...(session.idToken === null ? {} : { id_token_hint: session.idToken }),
    });
  } finally {
    done.abort();
    popup.window.close();
  }
}

/** Finds the provider's session of this browser without asking the user. Null if the provider reports none. */
export async function findSession(): Promise<Session | null> {
  const manager = await userManager();
  try {
    const user = await manager.signinSilent({ forceIframeAuth: true });
    return user === null ? null : await sessionOf(user);
  } catch (error) {
    if (isProviderError(error)) {
      return null;
    }
    throw error;
  }
}

async function sessionOf(user: User): Promise<Session> {
  const { rolesClaim } = (await publicConfig()).oidc;
  return {
    accessToken: user.access_token,
    refreshToken: user.refresh_token ?? null,
    idToken: user.id_token ?? null,
    // `expires_at` is in seconds. Without it, the token is renewed at the first check.
    expiresAt: (user.expires_at ?? 0) * 1_000,
    user: userInfoFrom(user.profile, readClaims(user.access_token), rolesClaim),
  };
}

/**
 * The library throws a plain Error if the window is closed. The provider reports a refusal as `access_denied` (RFC
 * 6749, 4.1.2.1).
 */
function wasCancelled(error: unknown): boolean {
  if (error instanceof SessionError) {
    return error.code === 'cancelled';
  }
  return isProviderError(error)
    ? error.error === 'access_denied'
    : error instanceof Error && error.message === 'Popup closed by user';
}

/**
 * Returns true for an error that the provider reported. Recognised by name, because the library may be loaded twice.
 */
function isProviderError(error: unknown): error is Error & { readonly error: string | null } {
  return error instanceof Error && error.name === 'ErrorResponse' && 'error' in error;
}
