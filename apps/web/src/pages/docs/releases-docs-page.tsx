import { pagePaths } from '@wirebench/contract/constants';
import { DocsPage } from './docs-page.tsx';
import { releasesDocument } from './releases/releases-document.ts';

/** `/app/releases/docs`. */
export function ReleasesDocsPage() {
  return <DocsPage path={pagePaths.releasesDocs} document={releasesDocument} />;
}
