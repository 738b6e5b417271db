/**
 * Full-width card for one failure: title, meaning, steps of the remedy, an optional drawing, and buttons. On a page with
 * an answer at its top, title and meaning are shown there, and the main button is the answer's.
 */
import type { GuidanceTopic } from '@wirebench/contract/constants';
import { CircleX } from 'lucide-react';
import { createContext, type ReactNode, type RefObject, use, useEffect, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Badge } from '../shared/ui/badge.tsx';
import { bringIntoView, useBringIntoView } from '../shared/ui/bring-into-view.ts';
import { Button, type ButtonProps } from '../shared/ui/button.tsx';
import { useLostFocus } from '../shared/ui/use-lost-focus.ts';
import styles from './failure-card.module.css';
import { GuidanceLink } from './guidance-link.tsx';

export interface FailureCardProps {
  /** Names the failure in one sentence, without a full stop. */
  readonly title: string;
  /** Explains the failure and the state of the board. */
  readonly children: ReactNode;
  /** Category of the failure, in one or two words. */
  readonly badge?: string;
  /** Steps of the remedy, in order. */
  readonly steps?: readonly FailureStep[];
  /** Shown beside the steps. */
  readonly drawing?: ReactNode;
  readonly actions: ReactNode;
  /** Guidance topic to link to; null for no link. */
  readonly topic?: GuidanceTopic | null;
}

/** Main button of a failure, shown by the answer of the page. */
export interface MainWay {
  readonly label: string;
  readonly icon: ReactNode;
  readonly onPress: () => void;
  /** True: nothing can be done yet, such as while the board is unplugged. */
  readonly blocked: boolean;
  readonly busy: boolean;
}

/** Place for the words and the main button of a failure at the top of the page. */
export interface AnswerPlace {
  /** Element for title and meaning; null until it exists. */
  readonly head: HTMLElement | null;
  readonly setWay: (way: MainWay | null) => void;
}

/** Null: the page has no such place, so the card shows all of it. */
export const AnswerPlaceContext = createContext<AnswerPlace | null>(null);

interface FailureStep {
  readonly title: ReactNode;
  readonly text?: ReactNode;
}

export function FailureCard({ title, children, badge, steps = [], drawing, actions, topic = null }: FailureCardProps) {
  const place = use(AnswerPlaceContext);
  const card = useRef<HTMLElement>(null);
  const first = useRef<HTMLElement>(null);
  useBringIntoView(card, place === null ? title : null, true);
  useStepsInView(card, place !== null, title);
  return (
    <section
      ref={card}
      className={place === null ? styles['card'] : styles['below']}
      role={place === null ? 'alert' : 'group'}
      aria-label={title}
    >
      {place === null ? (
        <div className={styles['head']}>
          <CircleX />
          <div className={styles['text']}>
            <h2>{title}</h2>
            <div className={styles['meaning']}>{children}</div>
          </div>
          {badge === undefined ? null : (
            <span className={styles['badge']}>
              <Badge tone="danger">{badge}</Badge>
            </span>
          )}
        </div>
      ) : place.head === null ? null : (
        createPortal(
          <div role="alert" aria-label={title}>
            <h2>{title}</h2>
            <div className={styles['sentence']}>{children}</div>
          </div>,
          place.head,
        )
      )}
      {steps.length === 0 && drawing === undefined ? null : (
        <div className={styles['body']}>
          <ol className={styles['steps']}>
            {steps.map((step, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a failure never change.
              <li key={index}>
                <div>
                  <b>{step.title}</b>
                  {step.text === undefined ? null : <p>{step.text}</p>}
                </div>
              </li>
            ))}
          </ol>
          {drawing === undefined ? null : <div className={styles['drawing']}>{drawing}</div>}
        </div>
      )}
      <div
        ref={(element) => {
          first.current = element?.querySelector('button') ?? null;
        }}
        className={`buttons ${styles['actions']}`}
      >
        {place === null ? <TakeLostFocus target={first} /> : null}
        {actions}
        {topic === null ? null : <GuidanceLink topic={topic} />}
      </div>
    </section>
  );
}

/**
 * Shows the steps below the answer if the person has scrolled past them. The answer itself is always in view, so nothing
 * moves otherwise.
 */
function useStepsInView(card: RefObject<HTMLElement | null>, isBelow: boolean, title: string): void {
  const shown = useRef('');
  useEffect(() => {
    const element = card.current;
    if (!isBelow || element === null || shown.current === title) {
      return;
    }
    shown.current = title;
    const covered = Number.parseFloat(getComputedStyle(element).scrollMarginTop) || 0;
    if (element.getBoundingClientRect().top < covered - 1) {
      bringIntoView(element, { toTop: true });
    }
  }, [card, isBelow, title]);
}

/** Moves a lost focus to the first button of the card. The answer of a page keeps the focus itself. */
function TakeLostFocus({ target }: { readonly target: RefObject<HTMLElement | null> }) {
  useLostFocus(target);
  return null;
}

export interface MainWayButtonProps extends Pick<ButtonProps, 'icon' | 'busy'> {
  readonly children: string;
  readonly blocked?: boolean;
  readonly onPress: () => void;
}

/** The main button of a failure: in the answer of the page if it has one, else here. */
export function MainWayButton({ icon, busy = false, blocked = false, onPress, children }: MainWayButtonProps) {
  const place = use(AnswerPlaceContext);
  const setWay = place?.setWay;
  const press = useRef(onPress);
  const sign = useRef(icon);
  press.current = onPress;
  sign.current = icon;
  useLayoutEffect(() => {
    setWay?.({ label: children, icon: sign.current, onPress: () => press.current(), blocked, busy });
    return () => setWay?.(null);
  }, [setWay, children, blocked, busy]);
  return place === null ? (
    <Button variant="primary" icon={icon} busy={busy} aria-disabled={blocked || undefined} onClick={onPress}>
      {children}
    </Button>
  ) : null;
}

/** The label of a button on the board, drawn like a key. */
export function BoardButton({ children }: { readonly children: ReactNode }) {
  return <span className={styles['cap']}>{children}</span>;
}
