import { pagePaths } from '@wirebench/contract/constants';
import { DocsPage } from './docs-page.tsx';
import { flasherDocument } from './flasher/flasher-document.ts';

/** `/app/esp-flasher/docs`. */
export function FlasherDocsPage() {
  return <DocsPage path={pagePaths.espFlasherDocs} document={flasherDocument} />;
}
