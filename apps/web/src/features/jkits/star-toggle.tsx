/**
 * Toggles the user's star of the JKit that a panel was loaded from. The icon is a bookmark, because star icons show
 * ratings. Loaded on demand.
 */
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Ask } from './ask.tsx';
import { useIsStarred } from './calls/stars.ts';
import type { JkitPanel, LoadedFacts, PanelJkits } from './jkit-panel.ts';
import styles from './loaded-line.module.css';
import { Rating } from './rating.tsx';
import { useStarQuestions } from './star-questions.ts';

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
  const [asked, setAsked] = useState<'star' | 'unstar' | null>(null);
  const questions = useStarQuestions(user, { id, name }, jkits, () => setAsked(null));
  // Until the server answers, the last known state is shown.
  const starred = data ?? panel.isStarred;
  return (
    <>
      <Button
        size="sm"
        variant="quiet"
        pressed={starred}
        aria-label={starred ? `Unstar ${name}` : `Star ${name}`}
        className={starred ? styles['starred'] : undefined}
        icon={<Bookmark />}
        onClick={() => setAsked(starred ? 'unstar' : 'star')}
      />
      {ratingCount === 0 ? null : <Rating rating={rating} ratingCount={ratingCount} />}
      <Ask asked={asked} questions={questions} onClose={() => setAsked(null)} />
    </>
  );
}
