/** `/stm_flasher.html`: the STM32 flasher, a document of its own. */
import { benchPage } from '../app/bench-page.ts';
import { warnBeforeLeaving } from '../app/leave-warning.ts';
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';

const StmFlasherPage = benchPage(async () => {
  const { StmFlasherPage: Page, boardsAtWork } = await import('../pages/flasher/stm-flasher-page.tsx');
  warnBeforeLeaving(boardsAtWork);
  return Page;
});

startDocument(
  <ToolDocument title="STM32 flasher: Wirebench">
    <StmFlasherPage />
  </ToolDocument>,
);
