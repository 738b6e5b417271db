import { ListTree } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DocsContents } from './docs-contents.tsx';
import { type DocsDocument, sectionsOf } from './docs-model.ts';
import styles from './docs-page.module.css';
import { DocsSections } from './docs-sections.tsx';
import { useReadHeading } from './use-read-heading.ts';

export interface DocsPageProps {
  /** Path of the document. It links to the other documents. */
  readonly path: string;
  readonly document: DocsDocument;
}

export function DocsPage({ path, document }: DocsPageProps) {
  const { title, lead, groups } = document;
  const article = useRef<HTMLElement>(null);
  const read = useReadHeading(article);
  const [open, setOpen] = useState(false);
  const sections = sectionsOf(document);
  const current = sectionOf(read);
  const subheadings = useSubheadings(current);
  // The page is there only after the browser has looked for the anchor of its address.
  useEffect(() => {
    if (location.hash !== '') {
      globalThis.document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
  }, []);
  return (
    <div className={styles['grid']}>
      <button
        type="button"
        className={styles['bar']}
        aria-expanded={open}
        aria-controls="docs-contents"
        onClick={() => setOpen(!open)}
      >
        <ListTree />
        {sections.find(({ id }) => id === current)?.title ?? title}
      </button>
      <div id="docs-contents" className={styles['contents']} data-open={open}>
        <DocsContents path={path} groups={groups} article={article} current={current} onChosen={() => setOpen(false)} />
      </div>
      <article ref={article} className={styles['article']}>
        <h1>{title}</h1>
        <p className={styles['lead']}>{lead}</p>
        <DocsSections document={document} />
      </article>
      {subheadings.length === 0 ? null : (
        <nav className={styles['within']} aria-label="In this section">
          <span className="silk">In this section</span>
          {subheadings.map(({ id, title: name }) => (
            <a key={id} href={`#${id}`} aria-current={id === read ? 'true' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      )}
    </div>
  );
}

/** The section that a heading is in. */
function sectionOf(heading: string | null): string | null {
  return heading === null ? null : (globalThis.document.getElementById(heading)?.closest('section')?.id ?? null);
}

function useSubheadings(section: string | null): readonly { readonly id: string; readonly title: string }[] {
  const [found, setFound] = useState<readonly { readonly id: string; readonly title: string }[]>([]);
  useEffect(() => {
    const headings = section === null ? [] : globalThis.document.querySelectorAll<HTMLElement>(`#${section} > h3[id]`);
    setFound(Array.from(headings, ({ id, dataset }) => ({ id, title: dataset['title'] ?? '' })));
  }, [section]);
  return found;
}
