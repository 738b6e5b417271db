import { pagePaths } from '@wirebench/contract/constants';
import { DocsPage } from './docs-page.tsx';
import { terminalDocument } from './terminal/terminal-document.ts';

/** `/app/uart/docs`. */
export function TerminalDocsPage() {
  return <DocsPage path={pagePaths.uartDocs} document={terminalDocument} />;
}
