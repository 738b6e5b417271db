/** The app's document: everything that the router shows. */
import { App } from '../app/app.tsx';
import { startDocument } from '../app/start-document.tsx';

startDocument(<App />);
