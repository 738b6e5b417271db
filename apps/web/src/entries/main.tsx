/** The app's document: everything that the router shows. The document of a flasher imports the app from here. */
// First, so that what a component says wins.
import '../shared/styles/global.css';
import { App } from '../app/app.tsx';
import { startDocument } from '../app/start-document.tsx';
import { appNavigation } from '../shared/app-navigation.ts';

export { App };

// A document of another page has started, and shows the app itself.
if (appNavigation.show === null) {
  startDocument(<App />);
}
