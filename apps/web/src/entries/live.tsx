/** `/live.html`: a shared bench, a document of its own. */
import { lazyPage } from '../app/lazy-page.ts';
import { warnBeforeLeaving } from '../app/leave-warning.ts';
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';

const Page = lazyPage(async () => {
  const { LivePage, portsInUse } = await import('../pages/live/live-page.tsx');
  warnBeforeLeaving(portsInUse);
  return LivePage;
});

startDocument(
  <ToolDocument title="Shared bench: Wirebench">
    <Page />
  </ToolDocument>,
);
