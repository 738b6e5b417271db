/**
 * Whether another's jkit is starred, on the panel that it was loaded into. Its icon is a bookmark: stars mean ratings. Fetched
 * when there is such a jkit.
 */
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { Ask } from './ask.tsx';
import { useIsStarred } from './calls/starred-jkits.ts';
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
  // Until the server has answered, what it answered last.
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
