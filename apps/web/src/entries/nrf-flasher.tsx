/** `/nrf_flasher.html`: the Nordic flasher, a document of its own. */
import { benchPage } from '../app/bench-page.ts';
import { warnBeforeLeaving } from '../app/leave-warning.ts';
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';

const NrfFlasherPage = benchPage(async () => {
  const { NrfFlasherPage: Page, boardsAtWork } = await import('../pages/flasher/nrf-flasher-page.tsx');
  warnBeforeLeaving(boardsAtWork);
  return Page;
});

startDocument(
  <ToolDocument title="Nordic flasher: Wirebench">
    <NrfFlasherPage />
  </ToolDocument>,
);
