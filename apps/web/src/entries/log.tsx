/** `/log.html`: opened logs, a document of its own. */
import { lazyPage } from '../app/lazy-page.ts';
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';

const Page = lazyPage(async () => (await import('../pages/log/log-page.tsx')).LogPage);

startDocument(
  <ToolDocument title="Opened log: Wirebench">
    <Page />
  </ToolDocument>,
);
