/**
 * Whether another's jkit is starred, on the panel that it was loaded into. Its sign is a bookmark: stars stand for ratings. Fetched
 * when there is such a jkit.
 */
import { Bookmark } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Ask } from './ask.tsx';
import { useIsStarred } from './calls/starred-jkits.ts';
import type { JkitPanel, LoadedFacts, PanelJkits } from './jkit-panel.ts';
import styles from './loaded-line.module.css';
import { Rating } from './rating.tsx';
import { starQuestion } from './star-act.ts';

export interface StarToggleProps {
  readonly user: string;
  readonly panel: Pick<JkitPanel, 'isStarred'>;
  readonly jkits: Pick<PanelJkits, 'setStarred'>;
  readonly id: string;
  readonly facts: Pick<LoadedFacts, 'name' | 'rating' | 'ratingCount'>;
}

export function StarToggle({ user, panel, jkits, id, facts }: StarToggleProps) {
  const { name, rating, ratingCount } = facts;
  const { data } = useIsStarred(user, id);
  const [asking, setAsking] = useState(false);
  const toggle = useRef<HTMLButtonElement>(null);
  // Until the server has told, what it told last.
  const starred = data ?? panel.isStarred;
  return (
    <>
      <Button
        ref={toggle}
        size="sm"
        variant="quiet"
        pressed={starred}
        aria-label={starred ? `Unstar ${name}` : `Star ${name}`}
        className={starred ? styles['starred'] : undefined}
        icon={<Bookmark />}
        onClick={() => setAsking(true)}
      />
      {ratingCount === 0 ? null : <Rating rating={rating} ratingCount={ratingCount} />}
      {asking ? (
        <div className={styles['ask']}>
          <Ask
            question={starQuestion(user, { id, name }, !starred, jkits)}
            onClose={() => {
              setAsking(false);
              toggle.current?.focus();
            }}
          />
        </div>
      ) : null}
    </>
  );
}
