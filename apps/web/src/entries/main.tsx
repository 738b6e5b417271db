/** The app's document: puts everything in place and shows it. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from '../app/app.tsx';
import { installProviderInterception } from '../shared/provider/install.ts';
import { startSession } from '../shared/session/sign-in.ts';
import { followTheme } from '../shared/theme/theme.ts';
import '../shared/styles/global.css';

installProviderInterception();
followTheme();

const root = document.getElementById('root');
if (root === null) {
  throw new Error('The document has no element to show the app in.');
}
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);

void startSession();
