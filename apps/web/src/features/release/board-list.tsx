import { allOf, guardTexts, modelName } from '@wirebench/flasher/release/builds';
import { Cpu } from 'lucide-react';
import type { ShownBuild } from '../../workbench/release-builds.ts';
import styles from './board-list.module.css';

/** The boards that a version has a build for. Nothing for one chip without guards, which the head of the page names. */
export function BoardList({ builds }: { readonly builds: readonly ShownBuild[] }) {
  if (builds.length < 2 && builds.every(({ guards }) => guardTexts(guards).length === 0)) {
    return null;
  }
  return (
    <section aria-labelledby="boards">
      <h2 id="boards">For these boards</h2>
      <ul className={styles['boards']}>
        {builds.map(({ id, deviceModel, guards }) => {
          const phrases = guardTexts(guards);
          return (
            <li key={id}>
              <Cpu />
              <span>
                <b>{modelName(deviceModel)}</b>
                {phrases.length === 0 ? null : ` with ${allOf(phrases)}`}
              </span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
