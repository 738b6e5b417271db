/** The app's document: everything that the router shows. The document of a flasher imports the app from here. */
// First, so that what a component says wins.
import '../shared/styles/global.css';
import { pagePaths } from '@wirebench/contract/constants';
import { App } from '../app/app.tsx';
import { startDocument } from '../app/start-document.tsx';
import { appNavigation } from '../shared/app-navigation.ts';
import { hasServer } from '../shared/edition.ts';

export { App };

if (!hasServer && location.pathname !== pagePaths.home) {
  // Hosts of files add a slash to the path of a folder, which holds the document of a page.
  history.replaceState(null, '', location.pathname.replace(/\/$/, '') + location.search + location.hash);
}

// A document of another page has started, and shows the app itself.
if (appNavigation.show === null) {
  startDocument(<App />);
}
