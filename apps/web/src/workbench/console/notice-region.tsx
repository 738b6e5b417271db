import { type Clock, systemClock } from '@wirebench/clock';
import { useEffect, useState } from 'react';
import { benchStatus } from '../bench-status.ts';

/** Minimum time between two announcements, in milliseconds. */
const pause = 2_000;
/** Maximum number of notices in one announcement. For older ones only their number is announced. */
const maxTogether = 3;

/** Collects notices for screen readers, so that at most one announcement is made in two seconds. */
export class NoticeSpeaker {
  readonly #clock: Clock;
  readonly #say: (text: string) => void;
  #waiting: string[] = [];
  #spokeAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, say: (text: string) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  add(texts: readonly string[]): void {
    this.#waiting.push(...texts);
    if (this.#waiting.length > 0 && this.#cancel === null) {
      const delay = Math.max(0, this.#spokeAt + pause - this.#clock.now());
      this.#cancel = this.#clock.schedule(delay, () => this.#speak());
    }
  }

  dispose(): void {
    this.#cancel?.();
  }

  #speak(): void {
    const texts = this.#waiting;
    this.#waiting = [];
    this.#cancel = null;
    this.#spokeAt = this.#clock.now();
    const omitted = texts.length - maxTogether;
    const shown = texts.slice(-maxTogether).map((text) => (/[.?!]$/.test(text) ? text : `${text}.`));
    const more = omitted === 1 ? 'One more message.' : `${omitted} more messages.`;
    this.#say([...(omitted > 0 ? [more] : []), ...shown].join(' '));
  }
}

/** Live region that announces notices: connect, disconnect and errors. Received lines are never announced. */
export function NoticeRegion() {
  const [text, setText] = useState('');
  useEffect(() => {
    const speaker = new NoticeSpeaker(systemClock, setText);
    const end = benchStatus.onTick(({ notices }) => speaker.add(notices.map((notice) => notice.text)));
    return () => {
      end();
      speaker.dispose();
    };
  }, []);
  return (
    <div className="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}
