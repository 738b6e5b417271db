/** `/rp_flasher.html`: the Raspberry Pi flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('rp', {
  loadPage: () => import('../pages/flasher/rp-flasher-page.tsx'),
  loadApp: async () => (await import('./app-of-document.ts')).loadApp(),
});
