import type { Jkit } from '@wirebench/contract';
import { Star } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { classNames } from '../../shared/ui/class-names.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { useOwnRating, useRateJkit } from './calls/stars.ts';
import { failedActText } from './failed-act.ts';
import { doneText } from './model/library-texts.ts';
import styles from './rating.module.css';

const choices = [1, 2, 3, 4, 5] as const;

export interface RateStarsProps {
  readonly user: string;
  readonly jkit: Pick<Jkit, '_id' | 'name'>;
  readonly onRated: (jkit: Jkit) => void;
}

/**
 * The user's rating of another publisher's JKit, 1 to 5 stars. Arrow keys move the focus without rating. Enter or
 * Space rates, and replaces an earlier rating.
 */
export function RateStars({ user, jkit, onRated }: RateStarsProps) {
  const { isPending, error, mutate } = useRateJkit(user, jkit._id, {
    onSuccess: (rated, stars) => {
      onRated(rated);
      toast(doneText('rate', jkit.name), { detail: stars === 1 ? '1 star' : `${stars} stars` });
    },
  });
  const given = useOwnRating(user, jkit._id).data ?? 0;
  const [walked, setWalked] = useState<number | null>(null);
  const reached = walked ?? Math.max(1, given);
  const group = useRef<HTMLDivElement>(null);
  const rate = (stars: number) => {
    setWalked(stars);
    mutate(stars);
  };
  const walk = (event: KeyboardEvent) => {
    const to = { ArrowLeft: reached - 1, ArrowDown: reached - 1, ArrowRight: reached + 1, ArrowUp: reached + 1 }[
      event.key
    ];
    if (to === undefined) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const next = Math.min(5, Math.max(1, to));
    setWalked(next);
    group.current?.querySelectorAll<HTMLElement>('[role="radio"]')[next - 1]?.focus();
  };
  return (
    <>
      <div className={`row ${styles['rate']}`}>
        <span id={`rate-${jkit._id}`}>Your rating</span>
        <div
          ref={group}
          role="radiogroup"
          aria-labelledby={`rate-${jkit._id}`}
          aria-busy={isPending}
          className={styles['stars']}
          onKeyDown={walk}
        >
          {choices.map((stars) => (
            // biome-ignore lint/a11y/useSemanticElements: a native radio button would rate on each arrow key.
            <button
              key={stars}
              type="button"
              role="radio"
              aria-checked={given === stars}
              aria-label={stars === 1 ? '1 star' : `${stars} stars`}
              tabIndex={stars === reached ? 0 : -1}
              className={classNames('ring-inside', styles['star'], stars <= given && styles['on'])}
              onFocus={() => setWalked(stars)}
              onClick={() => rate(stars)}
            >
              <Star />
            </button>
          ))}
        </div>
      </div>
      {error === null ? null : <Notice level="error" title={failedActText('rate', error)} />}
    </>
  );
}
