/** Texts for guests: their rights, and the reason and remedy if a visit is impossible or has ended. */
import { type RemoteFailure, type Right, remoteFailureText } from '@wirebench/remote';
import type { LiveTick, SharedPortFacts } from '../../protocol/live-protocol.ts';
import type { LinkFault } from './live-store.ts';

export interface Ending {
  readonly title: string;
  readonly text: string;
  /** True: the same link may work later. */
  readonly again: boolean;
}

const askAgain = 'Ask whoever shared it for the link, and copy all of it, from “http” to its last character.';

const faults = {
  'no-link': { title: 'This link is not complete', text: askAgain, again: false },
  'wrong-key': {
    title: 'This link has lost its key',
    text: `The key is the part behind “#”, and without it nothing can be read. ${askAgain}`,
    again: false,
  },
  'insecure-context': {
    title: 'A shared bench needs https',
    text: 'This page was opened over plain http, where browsers have no cryptography. Open the same link with “https”.',
    again: false,
  },
  'no-web-socket': {
    title: 'This browser has no WebSockets',
    text: 'They are turned off, or the browser is too old. Open the link in another browser.',
    again: false,
  },
} satisfies Record<LinkFault, Ending>;

export const faultWords = (fault: LinkFault): Ending => faults[fault];

const endings: Partial<Record<RemoteFailure, Ending>> = {
  'no-such-room': {
    title: 'No bench is shared at this link',
    text: 'Sharing may have ended. Ask for a new link.',
    again: true,
  },
  ended: {
    title: 'Sharing has ended',
    text: 'Whoever shared the bench has stopped, or its time was over. To go on, ask for a new link.',
    again: false,
  },
  'wrong-key': {
    title: 'The key in this link does not fit',
    text: `It is not the key of the bench that is shared here. ${askAgain}`,
    again: true,
  },
  'too-many': {
    title: 'The shared bench is full',
    text: 'As many guests as there may be are watching. Try again when somebody has left.',
    again: true,
  },
  expelled: {
    title: 'Your visit was ended',
    text: 'Whoever shares the bench has ended it. Ask before you open the link again.',
    again: true,
  },
  replaced: {
    title: 'Opened somewhere else',
    text: `${remoteFailureText.replaced} Go on there, or open the link again here.`,
    again: true,
  },
  'wrong-version': {
    title: 'Two versions of Wirebench',
    text: 'This page and that of whoever shares are of different versions. Reload both.',
    again: true,
  },
  'not-allowed': {
    title: 'The server refuses',
    text: `${remoteFailureText['not-allowed']} Ask whoever shares it, or whoever runs this server.`,
    again: false,
  },
  'too-slow': {
    title: 'The visit is over',
    text: `${remoteFailureText['too-slow']} Open the link again over a faster one.`,
    again: true,
  },
  'host-away': {
    title: 'The shared bench did not come back',
    text: 'Its connection was lost for too long. Ask whoever shared it, then open the link again or a new one.',
    again: true,
  },
};

/** @param why Null: the guest left. */
export function endingWords(why: RemoteFailure | null): Ending {
  if (why === null) {
    return {
      title: 'You have left the shared bench',
      text: 'The link still works as long as the bench is shared.',
      again: true,
    };
  }
  const text = `${remoteFailureText[why]} Open the link again.`;
  return endings[why] ?? { title: 'The visit is over', text, again: true };
}

/** Milliseconds without an answer after which the page reports the silence. */
export const patience = 6_000;

/**
 * Returns the text of the wait before the first contact.
 * @param waited Milliseconds so far.
 */
export function waitingWords(
  { host, isHostAway }: Pick<LiveTick, 'host' | 'isHostAway'>,
  waited: number,
  online: boolean,
): { readonly title: string; readonly text: string } {
  if (!online) {
    return { title: 'You are offline', text: 'This page goes on by itself when the network is back.' };
  }
  if (isHostAway) {
    return {
      title: 'The bench is not connected right now',
      text: `The link is right, and the connection of ${host || 'whoever shares the bench'} is lost. This page waits, and goes on by itself.`,
    };
  }
  return waited < patience
    ? { title: 'Joining the shared bench…', text: 'Making a sealed connection.' }
    : {
        title: 'Nobody answers',
        text: 'The server cannot be reached, or whoever shares does not answer. Check your network: some block WebSockets. This page tries again by itself.',
      };
}

/** Returns a summary of the visit: `2 remote ports, you may type`. */
export function standingText({
  state,
  isHostAway,
  ports,
  using,
}: Pick<LiveTick, 'state' | 'isHostAway' | 'ports' | 'using'>): string {
  if (isHostAway && state !== 'ended') {
    return 'Waiting for the host';
  }
  if (state !== 'joined') {
    return 'Not connected';
  }
  if (ports.length === 0) {
    return 'No port is shared';
  }
  const may = (right: Right) => ports.some((shared) => shared.right === right);
  const standing = using.length > 0 ? 'using' : may('use') ? 'you may use' : may('type') ? 'you may type' : 'watching';
  return `${ports.length} remote ${ports.length === 1 ? 'port' : 'ports'}, ${standing}`;
}

const doing = { watch: 'watch', type: 'type on', use: 'use' } as const satisfies Record<Right, string>;

/** Returns `You may use port 1 and watch ports 2 and 3.` */
export function rightsText(ports: readonly SharedPortFacts[]): string {
  const parts = (['use', 'type', 'watch'] as const).flatMap((right) => {
    const numbers = ports.filter((shared) => shared.right === right).map(({ port }) => port);
    return numbers.length === 0
      ? []
      : [`${doing[right]} ${numbers.length === 1 ? 'port' : 'ports'} ${listed(numbers)}`];
  });
  return parts.length === 0 ? 'No port is shared now.' : `You may ${listed(parts)}.`;
}

/** Returns `Jonas W. may type on port 1, Aylin K. uses port 2.`; empty if all others only watch. */
export function othersText({ people, ports }: Pick<LiveTick, 'people' | 'ports'>): string {
  const parts = people.flatMap(({ name, isYou, rights }) =>
    isYou
      ? []
      : rights.map(({ port, right }) => {
          const uses = ports.some((shared) => shared.port === port && shared.user === name && !shared.isYours);
          return uses ? `${name} uses port ${port}` : `${name} may ${doing[right]} port ${port}`;
        }),
  );
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

function listed(items: readonly (string | number)[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
