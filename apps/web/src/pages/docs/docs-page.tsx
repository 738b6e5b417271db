import { ArrowRight, ListTree } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { DocsContents } from './docs-contents.tsx';
import { type DocsDocument, type DocsPageTexts, groupsOf, hasAnchor, pagesOf } from './docs-model.ts';
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
function useReadHeading(article: RefObject<HTMLElement | null>, page: DocsPageTexts): string | null {
  const [read, setRead] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other headings
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
  }, [article, page]);
  return read;
}

function readingLine(heading: HTMLElement): number {
  const margin = Number.parseFloat(getComputedStyle(heading).scrollMarginTop);
  return Math.max(READING_LINE, (Number.isNaN(margin) ? 0 : margin) + ROUNDING);
}

/** The anchor in the address, also after a link of the browser's own, which the router does not hear of. */
function useAnchor(): string {
  const { hash } = useLocation();
  const [anchor, setAnchor] = useState(hash);
  useLayoutEffect(() => setAnchor(hash), [hash]);
  useEffect(() => {
    const follow = () => setAnchor(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return anchor.slice(1);
}

/** A guide. It shows the page that has the anchor in the address, so an address stays right when its text moves to another page. */
export function DocsPage({ path, document }: DocsPageProps) {
  const article = useRef<HTMLElement>(null);
  const anchor = useAnchor();
  const pages = pagesOf(document);
  const [first, ...others] = pages;
  const page = pages.find((each) => hasAnchor(each, anchor)) ?? first;
  const at = pages.indexOf(page);
  const next = pages[at + 1];
  const read = useReadHeading(article, page);
  const [open, setOpen] = useState(false);
  const current = sectionOf(read);
  const subheadings = useSubheadings(current);
  useShowPlace(anchor, page.title, at > 0 ? page : null);
  useTitle(at > 0 ? page.title : null);
  const contents = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another place in the contents
  useEffect(() => showCurrent(contents.current), [page.title]);
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
        {page.sections.find(({ id }) => id === current)?.title ?? page.title}
      </button>
      <div ref={contents} id="docs-contents" className={styles['contents']} data-open={open}>
        <DocsContents
          path={path}
          groups={groupsOf(document)}
          page={at > 0 ? page.title : null}
          current={current}
          onChosen={() => setOpen(false)}
        />
      </div>
      <article ref={article} className={styles['article']}>
        {at > 0 ? <p className={`silk ${styles['guide']}`}>{document.title}</p> : null}
        <h1 tabIndex={-1}>{page.title}</h1>
        <p className={styles['lead']}>{page.lead}</p>
        <DocsSections key={page.title} document={document} sections={page.sections} />
        {at === 0 && others.length > 0 ? (
          <nav className={styles['pages']} aria-label="Pages of this guide">
            <span className="silk">In this guide</span>
            {others.map(({ title, lead, sections }) => (
              <a key={title} href={`#${sections[0]?.id}`}>
                <b>{title}</b>
                <small>{lead}</small>
              </a>
            ))}
          </nav>
        ) : null}
        {at > 0 && next !== undefined ? (
          <a className={styles['next']} href={`#${next.sections[0]?.id}`}>
            Next: {next.title}
            <ArrowRight />
          </a>
        ) : null}
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

/**
 * Shows the place of an anchor after its page is drawn: the browser looked for it before. The beginning of a page is
 * shown with its title.
 *
 * @param key Changes with the page.
 * @param page The shown page; null for the first page of the guide.
 */
function useShowPlace(anchor: string, key: string, page: DocsPageTexts | null): void {
  const shown = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page changes with its title
  useEffect(() => {
    const isOther = shown.current !== null && shown.current !== key;
    shown.current = key;
    const show = () => {
      const target = anchor === '' ? null : document.getElementById(anchor);
      if (page !== null && page.sections[0]?.id === anchor) {
        window.scrollTo(0, 0);
      } else {
        target?.scrollIntoView();
      }
      // The link that had the focus may be gone with its page or with the results of a search.
      if (isOther) {
        document.querySelector<HTMLElement>('article h1')?.focus({ preventScroll: true });
      } else if (target !== null && document.activeElement === document.body) {
        target.tabIndex = -1;
        target.focus({ preventScroll: true });
      }
    };
    // The browser scrolls and takes the focus itself after it has told of the new address.
    const frame = requestAnimationFrame(show);
    return () => cancelAnimationFrame(frame);
  }, [anchor, key]);
}

/** Puts the title of a page before that of its guide in the title of the document, while the page is shown. */
function useTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) {
      return undefined;
    }
    let before: string | null = null;
    // The frame around the page sets the title of the guide after this.
    const frame = requestAnimationFrame(() => {
      before = document.title;
      document.title = `${title}: ${before}`;
    });
    return () => {
      cancelAnimationFrame(frame);
      if (before !== null) {
        document.title = before;
      }
    };
  }, [title]);
}

/** Scrolls the contents to the shown page, and nothing else. */
function showCurrent(contents: HTMLElement | null): void {
  const current = contents?.querySelector<HTMLElement>('[aria-label=Contents] [aria-current=page]');
  if (contents !== null && current && current.offsetTop + current.offsetHeight > contents.clientHeight) {
    contents.scrollTop = current.offsetTop - contents.clientHeight / 2;
  }
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
