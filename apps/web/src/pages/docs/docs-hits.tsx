/** Hits of the search in all guides. Loaded with the index when the search is used. */

import { passages } from 'virtual:docs-passages';
import { Link } from 'react-router';
import styles from './docs-contents.module.css';
import { guidePaths } from './docs-links.ts';
import { type DocsPassage, searchDocs } from './docs-search.ts';
import { guides } from './guides.ts';

export interface DocsHitsProps {
  /** Path of the shown guide, whose passages come first. */
  readonly path: string;
  readonly query: string;
  /** A place was chosen. */
  readonly onChosen: () => void;
}

export function DocsHits({ path, query, onChosen }: DocsHitsProps) {
  const isShown = ({ guide }: DocsPassage) => guidePaths[guide] === path;
  const sorted = [...passages.filter(isShown), ...passages.filter((passage) => !isShown(passage))];
  const hits = searchDocs(sorted, query);
  return (
    <>
      <p className={`small ${styles['count']}`}>
        {hits.length === 0 ? 'Nothing found. Try fewer words.' : `${hits.length} found`}
      </p>
      <ul className={styles['hits']}>
        {hits.map(({ passage, excerpt }) => (
          <li key={addressOf(passage)}>
            <Link to={addressOf(passage)} onClick={onChosen}>
              <b>{passage.heading}</b>
              <small>{placeOf(passage)}</small>
              <span>{excerpt}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const addressOf = ({ guide, id }: DocsPassage): string => `${guidePaths[guide]}#${id}`;

/** Names the place of a passage: its guide, its page and its section, as far as they say more than its heading. */
function placeOf({ guide, page, heading, section }: DocsPassage): string {
  const title = guides.find(({ name }) => name === guide)?.title;
  return [title, page, heading === section ? '' : section].filter(Boolean).join(' › ');
}
