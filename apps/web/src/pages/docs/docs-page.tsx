import { ListTree } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { DocsContents } from './docs-contents.tsx';
import { type DocsDocument, groupsOf, sectionsOf } from './docs-model.ts';
import styles from './docs-page.module.css';
import { DocsSections } from './docs-sections.tsx';

export interface DocsPageProps {
  /** Path of the document. It links to the other documents. */
  readonly path: string;
  readonly document: DocsDocument;
}

/** A heading counts as read from here on, below the header, in px from the top of the window; at least where a link puts it. */
const READING_LINE = 96;
/** Links put a heading at a fraction of a pixel. */
const ROUNDING = 2;

/** The anchor of the last heading above the reading line, followed while one scrolls and sizes the window; null before the first. */
function useReadHeading(article: RefObject<HTMLElement | null>): string | null {
  const [read, setRead] = useState<string | null>(null);
  useEffect(() => {
    let asked = 0;
    const look = () => {
      asked = 0;
      const headings = [...(article.current?.querySelectorAll<HTMLElement>('section[id], h3[id]') ?? [])];
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
      const above = headings.filter((heading) => heading.getBoundingClientRect().top <= readingLine(heading));
      // At the end of the page the last section may be too short to come to the top.
      const target = document.getElementById(location.hash.slice(1));
      const last = atEnd && target !== null && headings.includes(target) ? target : above.at(-1);
      setRead((last ?? headings[0])?.id ?? null);
    };
    const lookNextFrame = () => {
      asked ||= requestAnimationFrame(look);
    };
    lookNextFrame();
    addEventListener('scroll', lookNextFrame, { passive: true });
    addEventListener('resize', lookNextFrame);
    addEventListener('hashchange', lookNextFrame);
    return () => {
      removeEventListener('scroll', lookNextFrame);
      removeEventListener('resize', lookNextFrame);
      removeEventListener('hashchange', lookNextFrame);
      cancelAnimationFrame(asked);
    };
  }, [article]);
  return read;
}

function readingLine(heading: HTMLElement): number {
  const margin = Number.parseFloat(getComputedStyle(heading).scrollMarginTop);
  return Math.max(READING_LINE, (Number.isNaN(margin) ? 0 : margin) + ROUNDING);
}

export function DocsPage({ path, document }: DocsPageProps) {
  const { title, lead } = document;
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
        <DocsContents
          path={path}
          groups={groupsOf(document)}
          article={article}
          current={current}
          onChosen={() => setOpen(false)}
        />
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
