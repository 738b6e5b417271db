/** `/esp_flasher.html`: the Espressif flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('esp', () => import('../pages/flasher/esp-flasher-page.tsx'));
