/** The contents of the documentation: its guides, the pages and sections of the shown one, or what was found in all of them. */
import { Search } from 'lucide-react';
import { useCallback, useId, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { tinykeys } from 'tinykeys';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './docs-contents.module.css';
import type { DocsGroup, DocsPageTexts } from './docs-model.ts';
import { guides } from './guides.ts';

export interface DocsContentsProps {
  readonly path: string;
  readonly groups: readonly DocsGroup[];
  /** Title of the shown page; null for the first page of the guide. */
  readonly page: string | null;
  /** Anchor of the section that is being read. */
  readonly current: string | null;
  /** A place was chosen: on a phone the contents close. */
  readonly onChosen: () => void;
}

type Hits = typeof import('./docs-hits.tsx').DocsHits;

interface LoadedSearch {
  /** Null: not loaded yet. */
  readonly Hits: Hits | null;
  /** The search could not be loaded. */
  readonly failed: boolean;
  /** Loads the search and its index. Call it when the user is about to search. */
  readonly read: () => void;
}

/** The search, whose index the build wrote into a file of its own. */
function useSearch(): LoadedSearch {
  const [Hits, setHits] = useState<Hits | null>(null);
  const [failed, setFailed] = useState(false);
  const asked = useRef(false);
  const read = useCallback(() => {
    if (asked.current) {
      return;
    }
    asked.current = true;
    import('./docs-hits.tsx').then(
      ({ DocsHits }) => {
        setHits(() => DocsHits);
        setFailed(false);
      },
      (error: unknown) => {
        asked.current = false;
        setFailed(true);
        console.warn('The index of the search could not be loaded.', error);
      },
    );
  }, []);
  return { Hits, failed, read };
}

export function DocsContents({ path, groups, page, current, onChosen }: DocsContentsProps) {
  const [query, setQuery] = useState('');
  const { Hits, failed, read } = useSearch();
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
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
  const choose = () => {
    setQuery('');
    onChosen();
  };
  return (
    <>
      <search>
        <form
          className={styles['search']}
          onSubmit={(event) => {
            event.preventDefault();
            results.current?.querySelector('a')?.click();
          }}
        >
          <Search />
          <TextInput
            ref={field}
            type="search"
            aria-label="Search docs"
            placeholder="Search all guides"
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
      <div ref={results} id={resultsId} aria-live="polite">
        {query.trim() === '' ? null : Hits === null ? (
          <p className={`small ${styles['count']}`}>
            {failed
              ? 'The search could not be loaded. Check the connection, and click the field again.'
              : 'Loading the search…'}
          </p>
        ) : (
          <Hits path={path} query={query} onChosen={choose} />
        )}
      </div>
      {query.trim() === '' ? (
        <>
          <nav aria-label="Documents" className={styles['documents']}>
            {guides.map(({ path: address, title, sentence }) => (
              <Link key={address} to={address} aria-current={address === path ? 'page' : undefined} onClick={onChosen}>
                <b>{title}</b>
                <small>{sentence}</small>
              </Link>
            ))}
          </nav>
          <nav aria-label="Contents" className={styles['contents']}>
            {groups.map(({ name, pages }) => (
              <div key={name}>
                <span className="silk">{name}</span>
                {pages.map((each) => (
                  <PageLinks
                    key={each.title}
                    page={each}
                    open={each.title === page}
                    current={current}
                    onChosen={onChosen}
                  />
                ))}
              </div>
            ))}
          </nav>
        </>
      ) : null}
    </>
  );
}

interface PageLinksProps {
  readonly page: DocsPageTexts;
  /** True: this page is shown, with its sections below its title. */
  readonly open: boolean;
  readonly current: string | null;
  readonly onChosen: () => void;
}

/** Links to the sections of the guide's first page, or to a page of its own. */
function PageLinks({ page: { title, lead, sections }, open, current, onChosen }: PageLinksProps) {
  const isFirst = lead === '';
  return (
    <>
      {isFirst ? null : (
        <a href={`#${sections[0]?.id}`} aria-current={open ? 'page' : undefined} onClick={onChosen}>
          {title}
        </a>
      )}
      {isFirst || (open && sections.length > 1)
        ? sections.map(({ id, title: name }) => (
            <a
              key={id}
              href={`#${id}`}
              data-within={isFirst ? undefined : ''}
              aria-current={id === current ? 'true' : undefined}
              onClick={onChosen}
            >
              {name}
            </a>
          ))
        : null}
    </>
  );
}
