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
  const root = document.getElementById('root');
  if (root === null) {
    throw new Error('The document has no element to render the app in.');
  }
  void fontsOrTimeout().then(() => createRoot(root).render(<StrictMode>{content}</StrictMode>));
  if (hasServer) {
    void startSession();
  }
  // While developing what is shown is what was just changed.
  if (import.meta.env.PROD) {
    afterLoading(() => {
      import('./new-version.ts')
        .then(({ keepOffline }) => keepOffline())
        .catch((error: unknown) => console.warn('This browser cannot keep Wirebench for offline use.', error));
    });
  }
}

/** Fonts come beside the scripts, so there is seldom anything to wait for. Without them there are others. */
async function fontsOrTimeout(): Promise<void> {
  const loaded = Promise.allSettled(fonts.map((font) => document.fonts.load(font)));
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, fontTimeout))]);
}

/** Runs `task` after loading, so that files for later do not delay the visible page. */
function afterLoading(task: () => void): void {
  if (document.readyState === 'complete') {
    task();
  } else {
    window.addEventListener('load', task, { once: true });
  }
}
