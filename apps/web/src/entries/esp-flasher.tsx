/** `/esp_flasher.html`: the Espressif flasher, a document of its own. */
import { benchPage } from '../app/bench-page.ts';
import { warnBeforeLeaving } from '../app/leave-warning.ts';
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';

const EspFlasherPage = benchPage(async () => {
  const { EspFlasherPage: Page, boardsAtWork } = await import('../pages/flasher/esp-flasher-page.tsx');
  warnBeforeLeaving(boardsAtWork);
  return Page;
});

startDocument(
  <ToolDocument title="Espressif flasher: Wirebench">
    <EspFlasherPage />
  </ToolDocument>,
);
