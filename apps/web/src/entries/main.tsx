/** The app's document: everything that the router shows. */
// First, so that what a component says wins.
import '../shared/styles/global.css';
import { App } from '../app/app.tsx';
import { startDocument } from '../app/start-document.tsx';

startDocument(<App />);
