/** `/esp_flasher.html`: the Espressif flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('esp', {
  loadPage: () => import('../pages/flasher/esp-flasher-page.tsx'),
  loadApp: async () => (await import('./app-of-document.ts')).loadApp(),
});
