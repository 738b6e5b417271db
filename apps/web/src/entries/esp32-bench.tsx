/** `/esp32_bench.html`: the ESP32 bench, a document of its own. */
import { benchPage } from '../app/bench-page.ts';
import { warnBeforeLeaving } from '../app/leave-warning.ts';
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';

const Page = benchPage(async () => {
  const { LabPage, boardsOnBench } = await import('../pages/lab/lab-page.tsx');
  warnBeforeLeaving(boardsOnBench);
  return LabPage;
});

startDocument(
  <ToolDocument title="ESP32 bench: Wirebench">
    <Page />
  </ToolDocument>,
);
