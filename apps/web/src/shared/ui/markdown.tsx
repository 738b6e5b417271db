import type { ReactNode } from 'react';
import styles from './markdown.module.css';
import { useAsync } from './use-async.ts';

type Render = (text: string) => ReactNode;

/** One load for all texts of the page. Repeated after a failure. */
let asked: Promise<Render> | null = null;

function loadRender(): Promise<Render> {
  asked ??= import('./markdown-nodes.tsx').then(
    ({ markdownNodes }) => markdownNodes,
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/**
 * Shows Markdown text. The parser is fetched with the first such text. Until it arrives, and if it cannot be fetched,
 * the text is shown as written.
 */
export function Markdown({ text }: { readonly text: string }) {
  const nodes = useAsync([], loadRender);
  return (
    <div className={`stack apart ${styles['markdown']}`}>
      {nodes === undefined ? <p className={styles['written']}>{text}</p> : nodes(text)}
    </div>
  );
}
