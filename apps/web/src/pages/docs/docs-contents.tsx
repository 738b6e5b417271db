/** The contents of a guide, or what was found in all of them. */
import { Search } from 'lucide-react';
import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { tinykeys } from 'tinykeys';
import { Kbd } from '../../shared/ui/kbd.tsx';
import { TextInput } from '../../shared/ui/text-input.tsx';
import styles from './docs-contents.module.css';
import type { DocsGroup } from './docs-model.ts';
import { searchDocs } from './docs-search.ts';
import { guides } from './guides.ts';
import { type GuidePassage, usePassages } from './use-passages.tsx';

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
