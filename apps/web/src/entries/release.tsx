/** `/release.html`: what a share link opens, a document of its own. */
import { startDocument } from '../app/start-document.tsx';
import { ToolDocument } from '../app/tool-document.tsx';
import { ReleasePage } from '../pages/release/release-page.tsx';

startDocument(
  <ToolDocument title={document.title}>
    <ReleasePage loadFlasher={async (family) => (await import('../app/load-flasher.ts')).loadFlasher(family)} />
  </ToolDocument>,
);
