/** The contents of a document, or what was found in it. */
import { pagePaths } from '@wirebench/contract/constants';
import { Search } from 'lucide-react';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { tinykeys } from 'tinykeys';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './docs-contents.module.css';
import type { DocsGroup } from './docs-model.ts';
import { type DocsPassage, passagesIn, searchDocs } from './docs-search.ts';

const documents = [
  { path: pagePaths.uartDocs, name: 'Terminal' },
  { path: pagePaths.espFlasherDocs, name: 'Flasher' },
  { path: pagePaths.releasesDocs, name: 'Releases' },
];

export interface DocsContentsProps {
  readonly path: string;
  readonly groups: readonly DocsGroup[];
  readonly article: RefObject<HTMLElement | null>;
  /** Anchor of the section that is being read. */
  readonly current: string | null;
  /** A place was chosen: on a phone the contents close. */
  readonly onChosen: () => void;
}

export function DocsContents({ path, groups, article, current, onChosen }: DocsContentsProps) {
  const [query, setQuery] = useState('');
  const [passages, setPassages] = useState<readonly DocsPassage[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const resultsId = useId();
  useEffect(
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
            const [first] = hits;
            if (first !== undefined) {
              location.hash = first.passage.id;
              choose();
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
            onFocus={() => setPassages(article.current === null ? [] : passagesIn(article.current))}
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
            <p className={styles['count']}>
              {hits.length === 0 ? 'Nothing found. Try fewer words.' : `${hits.length} found`}
            </p>
            <ul className={styles['hits']}>
              {hits.map(({ passage, excerpt }) => (
                <li key={passage.id}>
                  <a href={`#${passage.id}`} onClick={choose}>
                    <b>{passage.heading}</b>
                    {passage.heading === passage.section ? null : <small>{passage.section}</small>}
                    <span>{excerpt}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      {query.trim() === '' ? (
        <>
          <nav aria-label="Documents" className={styles['documents']}>
            {documents.map((each) => (
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
