import { NordicFlasher } from '../../features/flasher-nordic/nordic-flasher.tsx';
import { nordicPage } from '../../features/flasher-nordic/nordic-page.ts';
import { boardsAtWork, startFlasher } from '../../workbench/flasher/store/flasher-store.ts';

/** Boards that must not be left now. */
export { boardsAtWork };

startFlasher(nordicPage);

/** `/nrf_flasher.html`. There are no releases for these boards. */
export function FlasherPage() {
  return <NordicFlasher />;
}
