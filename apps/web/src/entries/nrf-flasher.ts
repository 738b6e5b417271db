/** `/nrf_flasher.html`: the Nordic flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('nrf', {
  loadPage: () => import('../pages/flasher/nrf-flasher-page.tsx'),
  loadApp: async () => (await import('./app-of-document.ts')).loadApp(),
});
