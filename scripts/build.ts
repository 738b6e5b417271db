/** `npm run build`: always builds the web app, even if it is up to date. */
import { buildWeb, webDist } from './build/web.ts';

await buildWeb();
console.log(`Built ${webDist}`);
