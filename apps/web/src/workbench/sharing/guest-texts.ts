/** Texts about guests: their rights, the length of their visit, and the end of the link. */
import type { Right, ShareGuest } from '../../protocol/share-protocol.ts';
import { ageText } from '../../shared/format/durations.ts';

export const rightNames = { watch: 'Watch', type: 'Type', use: 'Use' } satisfies Record<Right, string>;

/** Verb for the right that a guest asks for: `asks to type on port 1`. */
export const asksText = { watch: 'watch', type: 'type on', use: 'use' } satisfies Record<Right, string>;

const clockTime = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export const timeText = (at: number) => clockTime.format(at);

/**
 * Returns `connection lost 41 s ago`, or `no answer for 41 s` if the connection is open but silent. Null while the
 * guest answers.
 */
export function awayText({ isConnected, awaySince }: ShareGuest, now: number): string | null {
  if (awaySince === null) {
    return null;
  }
  const duration = ageText(now - awaySince);
  return isConnected ? `no answer for ${duration}` : `connection lost ${duration} ago`;
}

/** Returns `here 12 min`, or the time since the guest went away. */
export function hereText(guest: ShareGuest, now: number): string {
  return awayText(guest, now) ?? `here ${ageText(now - guest.since)}`;
}

export const guestsText = (count: number) => (count === 1 ? '1 guest' : `${count} guests`);

export interface Asking {
  readonly guest: string;
  readonly name: string;
  readonly port: 1 | 2 | 3 | 4;
  readonly right: Right;
  /** True: the guest has this right, but another use of the port on this bench blocks it. */
  readonly isKept: boolean;
}

/** Returns the requests of the guests, in the order of the guests. */
export function askingOf(guests: readonly ShareGuest[]): Asking[] {
  return guests.flatMap(({ id, name, ports }) =>
    ports.flatMap(({ port, asked, right }) =>
      asked === null ? [] : [{ guest: id, name, port: port as Asking['port'], right: asked, isKept: right === asked }],
    ),
  );
}

/** Announces requests to a screen reader: one sentence, however many guests ask. */
export function announcedText(asking: readonly Asking[]): string {
  const [first, ...others] = asking;
  if (first === undefined) {
    return '';
  }
  const more =
    others.length === 0 ? '' : others.length === 1 ? ', and 1 other asks' : `, and ${others.length} others ask`;
  return `${first.name} asks to ${asksText[first.right]} port ${first.port}${more}.`;
}

/**
 * Announces absent guests to a screen reader, only those who may do more than watch. Omits the time, which would be
 * read out every second.
 */
export function announcedAwayText(guests: readonly ShareGuest[]): string {
  const away = guests.filter((guest) => guest.awaySince !== null && highestRight(guest).right !== 'watch');
  const [first] = away;
  return first === undefined
    ? ''
    : away.length > 1
      ? `${guestsText(away.length)} do not answer.`
      : first.isConnected
        ? `${first.name} does not answer.`
        : `The connection of ${first.name} is lost.`;
}

const ladder: readonly Right[] = ['watch', 'type', 'use'];

/** Returns the guest's highest right and its port. A port in use has priority. */
export function highestRight({ ports }: ShareGuest): {
  readonly right: Right;
  readonly port: Asking['port'] | null;
  readonly isUsing: boolean;
} {
  const used = ports.find(({ isUsing }) => isUsing);
  if (used !== undefined) {
    return { right: 'use', port: used.port as Asking['port'], isUsing: true };
  }
  const [best] = [...ports].sort((a, b) => ladder.indexOf(b.right) - ladder.indexOf(a.right));
  return best === undefined || best.right === 'watch'
    ? { right: 'watch', port: null, isUsing: false }
    : { right: best.right, port: best.port as Asking['port'], isUsing: false };
}
