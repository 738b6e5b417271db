/** `/nrf_flasher.html`: the Nordic flasher, a document of its own. */
import { startFlasherDocument } from '../app/flasher-document.tsx';

startFlasherDocument('nrf', () => import('../pages/flasher/nrf-flasher-page.tsx'));
