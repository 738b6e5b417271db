/** How guests are spoken of: their rights, how long they are here, when the link ends. */
import type { Right, ShareGuest } from './share-protocol.ts';

export const rightNames = { watch: 'Watch', type: 'Type', use: 'Use' } satisfies Record<Right, string>;

/** What a guest that asks wants to do: `asks to type on port 1`. */
export const asksText = { watch: 'watch', type: 'type on', use: 'use' } satisfies Record<Right, string>;

const clockTime = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

export const timeText = (at: number) => clockTime.format(at);

/** `here 41 s`, `here 12 min`, `here 2 h`. */
export function hereText({ since, isConnected }: ShareGuest, now: number): string {
  if (!isConnected) {
    return 'connection lost';
  }
  const seconds = Math.max(0, Math.floor((now - since) / 1_000));
  if (seconds < 60) {
    return `here ${seconds} s`;
  }
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `here ${minutes} min` : `here ${Math.floor(minutes / 60)} h`;
}

export const guestsText = (count: number) => (count === 1 ? '1 guest' : `${count} guests`);

export interface Asking {
  readonly guest: string;
  readonly name: string;
  readonly port: 1 | 2 | 3 | 4;
  readonly right: Right;
}

/** What guests ask for, in the order of the guests. */
export function askingOf(guests: readonly ShareGuest[]): Asking[] {
  return guests.flatMap(({ id, name, ports }) =>
    ports.flatMap(({ port, asked }) =>
      asked === null ? [] : [{ guest: id, name, port: port as Asking['port'], right: asked }],
    ),
  );
}

/** For a screen reader, in one sentence however many ask. */
export function announcedText(asking: readonly Asking[]): string {
  const [first, ...others] = asking;
  if (first === undefined) {
    return '';
  }
  const more =
    others.length === 0 ? '' : others.length === 1 ? ', and 1 other asks' : `, and ${others.length} others ask`;
  return `${first.name} asks to ${asksText[first.right]} port ${first.port}${more}.`;
}

const ladder: readonly Right[] = ['watch', 'type', 'use'];

/** The guest's highest right and where it has it; what it uses now comes first. */
export function standingOf({ ports }: ShareGuest): {
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
