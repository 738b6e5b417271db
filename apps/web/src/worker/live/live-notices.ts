/** Notices in a guest's log about changes that the guest did not cause. */
import { type RemoteGuestStatus, type Right, remoteFailureText } from '@wirebench/remote';
import type { NoticeLevel, PortNumber } from '@wirebench/serial';
import type { SharedPortFacts } from '../../protocol/live-protocol.ts';

interface LiveNotice {
  readonly level: NoticeLevel;
  readonly text: string;
  readonly port: PortNumber | null;
}

type Told = Pick<RemoteGuestStatus, 'state' | 'why' | 'host' | 'isHostAway' | 'ports' | 'guests'>;

const ladder: readonly Right[] = ['watch', 'type', 'use'];
const doing = { watch: 'watch', type: 'type on', use: 'use' } as const satisfies Record<Right, string>;

const say = (level: NoticeLevel, text: string, port: number | null = null): LiveNotice => ({
  level,
  text,
  port: port as PortNumber | null,
});

export function liveNotices(before: Told, now: Told): readonly LiveNotice[] {
  const isFirst = before.host === '' && now.host !== '';
  return [
    ...(isFirst ? [say('info', `${now.host} shares this bench with you.`)] : []),
    ...connectionNotices(before, now),
    // At first, the other guests are listed after the ports.
    ...(before.guests === 0 ? [] : portsNotices(before, now)),
  ];
}

function connectionNotices(before: Told, now: Told): readonly LiveNotice[] {
  if (now.state !== before.state) {
    if (now.state === 'away' && !now.isHostAway) {
      return [say('warning', 'Your connection to the shared bench is lost. Trying again.')];
    }
    if (now.state === 'joined' && before.state === 'away') {
      return [say('success', 'Connected to the shared bench again.')];
    }
    if (now.state === 'ended') {
      return [
        now.why === null ? say('info', 'You have left the shared bench.') : say('error', remoteFailureText[now.why]),
      ];
    }
  }
  if (now.isHostAway && !before.isHostAway && now.host !== '') {
    return [say('warning', `The connection of ${now.host} is lost. Waiting for it to come back.`)];
  }
  return [];
}

function portsNotices(before: Told, now: Told): readonly LiveNotice[] {
  const known = new Map(before.ports.map((shared) => [shared.port, shared]));
  const left = before.ports.filter(({ port }) => !now.ports.some((shared) => shared.port === port));
  return [
    ...now.ports.flatMap((shared) => {
      const was = known.get(shared.port);
      return was === undefined
        ? [say('info', `Port ${shared.port} is shared with you now.`, shared.port)]
        : [...rightNotices(was, shared, now.host), ...userNotices(was, shared)];
    }),
    ...left.map(({ port }) => say('info', `Port ${port} is not shared any more.`, port)),
  ];
}

function rightNotices(
  was: SharedPortFacts,
  { port, right, asked }: SharedPortFacts,
  host: string,
): readonly LiveNotice[] {
  const step = ladder.indexOf(right) - ladder.indexOf(was.right);
  if (step > 0) {
    return [say('success', `${host} lets you ${doing[right]} port ${port}.`, port)];
  }
  if (step < 0) {
    const left = right === 'watch' ? 'You may watch it.' : `You may ${right} on it.`;
    return [say('warning', `${host} has taken back the right to ${doing[was.right]} port ${port}. ${left}`, port)];
  }
  return was.asked !== null && asked === null
    ? [say('info', `${host} has not given you the right to ${doing[was.asked]} port ${port}.`, port)]
    : [];
}

function userNotices(was: SharedPortFacts, { port, user, isYours }: SharedPortFacts): readonly LiveNotice[] {
  if (isYours || was.isYours || user === was.user) {
    return [];
  }
  return user === null
    ? [say('info', `${was.user} does not use port ${port} any more.`, port)]
    : [say('info', `${user} uses port ${port} from now on. You see what passes.`, port)];
}
