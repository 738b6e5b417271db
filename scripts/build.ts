/** `npm run build`: builds the web app, whether it is up to date or not. */
import { buildWeb, webDist } from './build/web.ts';

await buildWeb();
console.log(`Built ${webDist}`);
