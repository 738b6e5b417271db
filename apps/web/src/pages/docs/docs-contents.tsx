/** The contents of a guide, or what was found in all of them. */
import { Search } from 'lucide-react';
import { type RefObject, useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Link, MemoryRouter, useNavigate } from 'react-router';
import { tinykeys } from 'tinykeys';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './docs-contents.module.css';
import type { DocsDocument, DocsGroup } from './docs-model.ts';
import { type DocsPassage, passagesIn, searchDocs } from './docs-search.ts';
import { DocsSections } from './docs-sections.tsx';
import { type Guide, guides } from './guides.ts';

export interface DocsContentsProps {
  readonly path: string;
  readonly groups: readonly DocsGroup[];
  readonly article: RefObject<HTMLElement | null>;
  /** Anchor of the section that is being read. */
  readonly current: string | null;
  /** A place was chosen: on a phone the contents close. */
  readonly onChosen: () => void;
}

interface GuidePassage extends DocsPassage {
  /** The guide that it is in; null for the one that is shown. */
  readonly guide: Guide | null;
}

interface Passages {
  /** Passages of the shown guide come first. */
  readonly passages: readonly GuidePassage[];
  /** The other guides could not be loaded. */
  readonly incomplete: boolean;
  /** Reads the guides. Call it when the user is about to search. */
  readonly read: () => void;
}

/** Passages for the search: those of the shown guide, and of the others once they are loaded. */
function usePassages(path: string, article: RefObject<HTMLElement | null>): Passages {
  const [shown, setShown] = useState<readonly GuidePassage[]>([]);
  const [others, setOthers] = useState<readonly GuidePassage[]>([]);
  const [incomplete, setIncomplete] = useState(false);
  const asked = useRef(false);
  const read = useCallback(() => {
    setShown(article.current === null ? [] : passagesIn(article.current).map((each) => ({ ...each, guide: null })));
    if (asked.current) {
      return;
    }
    asked.current = true;
    Promise.all(guides.filter((guide) => guide.path !== path).map(passagesOf)).then(
      (found) => {
        setOthers(found.flat());
        setIncomplete(false);
      },
      (error: unknown) => {
        asked.current = false;
        setIncomplete(true);
        console.warn('The other guides could not be loaded.', error);
      },
    );
  }, [path, article]);
  return { passages: [...shown, ...others], incomplete, read };
}

async function passagesOf(guide: Guide): Promise<GuidePassage[]> {
  const passages = passagesOfDocument(await guide.load());
  return passages.map((passage) => ({ ...passage, guide }));
}

/** A guide is components: its text is there once they are rendered, outside of the page. Pictures in it are not fetched. */
function passagesOfDocument(guide: DocsDocument): DocsPassage[] {
  const article = document.createElement('article');
  const root = createRoot(article);
  flushSync(() =>
    root.render(
      <MemoryRouter>
        <DocsSections document={guide} />
      </MemoryRouter>,
    ),
  );
  const passages = passagesIn(article);
  root.unmount();
  return passages;
}

export function DocsContents({ path, groups, article, current, onChosen }: DocsContentsProps) {
  const [query, setQuery] = useState('');
  const { passages, incomplete, read } = usePassages(path, article);
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const resultsId = useId();
  // Before the field is seen: who sees it may press the key.
  useLayoutEffect(
    () =>
      tinykeys(window, {
        '/': (event) => {
          if (!(event.target instanceof HTMLInputElement)) {
            event.preventDefault();
            field.current?.focus();
          }
        },
      }),
    [],
  );
  const hits = searchDocs(passages, query);
  const choose = ({ guide, id }: GuidePassage) => {
    setQuery('');
    onChosen();
    // The link that had the focus goes away with the results.
    focusPassage(guide === null ? id : 'main');
  };
  return (
    <>
      <search>
        <form
          className={styles['search']}
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = hits;
            if (first !== undefined) {
              const { guide, id } = first.passage;
              if (guide === null) {
                location.hash = id;
              } else {
                navigate(addressOf(first.passage));
              }
              choose(first.passage);
            }
          }}
        >
          <Search />
          <TextInput
            ref={field}
            type="search"
            aria-label="Search docs"
            placeholder="Search docs"
            aria-controls={resultsId}
            value={query}
            onFocus={read}
            onChange={({ target }) => setQuery(target.value)}
            onKeyDown={({ key }) => {
              if (key === 'Escape') {
                setQuery('');
              }
            }}
          />
          <Kbd>/</Kbd>
        </form>
      </search>
      <div id={resultsId} aria-live="polite">
        {query.trim() === '' ? null : (
          <>
            <p className={`small ${styles['count']}`}>
              {hits.length === 0 ? 'Nothing found. Try fewer words.' : `${hits.length} found`}
              {incomplete ? ' The other guides could not be loaded.' : null}
            </p>
            <ul className={styles['hits']}>
              {hits.map(({ passage, excerpt }) => (
                <li key={addressOf(passage)}>
                  <HitLink passage={passage} excerpt={excerpt} onChosen={() => choose(passage)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {query.trim() === '' ? (
        <>
          <nav aria-label="Documents" className={styles['documents']}>
            {guides.map((each) => (
              <Link key={each.path} to={each.path} aria-current={each.path === path ? 'page' : undefined}>
                {each.name}
              </Link>
            ))}
          </nav>
          <nav aria-label="Contents" className={styles['contents']}>
            {groups.map(({ name, sections }) => (
              <div key={name}>
                <span className="silk">{name}</span>
                {sections.map(({ id, title }) => (
                  <a key={id} href={`#${id}`} aria-current={id === current ? 'true' : undefined} onClick={onChosen}>
                    {title}
                  </a>
                ))}
              </div>
            ))}
          </nav>
        </>
      ) : null}
    </>
  );
}

/** Lets the keyboard go on at a passage. The browser scrolls to it. */
function focusPassage(id: string): void {
  const element = document.getElementById(id);
  if (element !== null && element.tabIndex < 0) {
    element.tabIndex = -1;
  }
  element?.focus({ preventScroll: true });
}

const addressOf = ({ guide, id }: GuidePassage): string => `${guide?.path ?? ''}#${id}`;

interface HitLinkProps {
  readonly passage: GuidePassage;
  readonly excerpt: string;
  readonly onChosen: () => void;
}

/** A place that was found. One in another guide says in which. */
function HitLink({ passage, excerpt, onChosen }: HitLinkProps) {
  const { guide, heading, section } = passage;
  const where = [guide?.name, heading === section ? null : section].filter(Boolean).join(': ');
  const content = (
    <>
      <b>{heading}</b>
      {where === '' ? null : <small>{where}</small>}
      <span>{excerpt}</span>
    </>
  );
  return guide === null ? (
    <a href={addressOf(passage)} onClick={onChosen}>
      {content}
    </a>
  ) : (
    <Link to={addressOf(passage)} onClick={onChosen}>
      {content}
    </Link>
  );
}
