/** `/stm_flasher.html`: the STM32 flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('stm', {
  loadPage: () => import('../pages/flasher/stm-flasher-page.tsx'),
  loadApp: async () => (await import('./app-of-document.ts')).loadApp(),
});
