/** `/avr_flasher.html`: the Arduino flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('avr', {
  loadPage: () => import('../pages/flasher/avr-flasher-page.tsx'),
  loadApp: async () => (await import('./app-of-document.ts')).loadApp(),
});
