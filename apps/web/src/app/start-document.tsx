/**
 * Starts each of the product's documents: theme, session, one React tree in its root element, and the files for
 * offline use.
 */

import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { hasServer } from '../shared/edition.ts';
import { answerLoginStatus } from '../shared/provider/answer-login-status.ts';
import { startSession } from '../shared/session/sign-in.ts';
import { followTheme } from '../shared/theme/theme.ts';
import '../shared/styles/global.css';

/** Fonts that the documents preload (`vite.config.ts`). */
const fonts = ['1em "IBM Plex Sans Variable"', '1em "JetBrains Mono Variable"', '600 1em "IBM Plex Sans Condensed"'];

/** Milliseconds that the first text waits for its font: set in another one first, it would move under the reader's eyes. */
const fontTimeout = 500;

export function startDocument(content: ReactNode): void {
  if (hasServer) {
    answerLoginStatus();
  }
  followTheme();
  watchInput();
  const root = document.getElementById('root');
  if (root === null) {
    throw new Error('The document has no element to render the app in.');
  }
  void fontsOrTimeout().then(() => createRoot(root).render(<StrictMode>{content}</StrictMode>));
  if (hasServer) {
    void startSession();
  }
  onLoad(() => {
    import('./after-loading.ts').then(({ afterLoading }) => afterLoading()).catch(console.warn);
  });
}

/** Signs of a person at the page. A mouse moves before it presses, and a first touch has no field to take the focus from. */
const signs = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Starts watching presses and keys at the first sign of a person, so that no page loads the code at its start. */
function watchInput(): void {
  const seen = new AbortController();
  const start = (event: Event) => {
    // A page that appears below a resting pointer gets a move without movement.
    if (
      event instanceof PointerEvent &&
      event.type === 'pointermove' &&
      event.movementX === 0 &&
      event.movementY === 0
    ) {
      return;
    }
    seen.abort();
    import('../shared/ui/input-watch.ts').then(({ watchPressesAndKeys }) => watchPressesAndKeys()).catch(console.warn);
  };
  for (const sign of signs) {
    window.addEventListener(sign, start, { capture: true, signal: seen.signal });
  }
}

/** Fonts come beside the scripts, so there is seldom anything to wait for. Without them there are others. */
async function fontsOrTimeout(): Promise<void> {
  const loaded = Promise.allSettled(fonts.map((font) => document.fonts.load(font)));
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, fontTimeout))]);
}

/** Runs `task` after loading, so that files for later do not delay the visible page. */
function onLoad(task: () => void): void {
  if (document.readyState === 'complete') {
    task();
  } else {
    window.addEventListener('load', task, { once: true });
  }
}
