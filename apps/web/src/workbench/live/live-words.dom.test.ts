import { formatShareLink, makeSecret, type RemoteFailure, remoteFailureText, webCrypto } from '@wirebench/remote';
import { expect, it, vi } from 'vitest';
import type { SharedPortFacts } from '../../protocol/live-protocol.ts';
import { readLink } from './live-store.ts';
import { endingWords, faultWords, othersText, patience, rightsText, standingText, waitingWords } from './live-words.ts';
import { watchedPort } from './testing/live-tick.ts';

const shared = (port: number, right: SharedPortFacts['right'], user: string | null = null): SharedPortFacts => ({
  ...watchedPort,
  port,
  right,
  user,
  name: `Board ${port}`,
});

it('rights are one sentence, the highest first', () => {
  expect(rightsText([])).toBe('No port is shared now.');
  expect(rightsText([shared(1, 'watch')])).toBe('You may watch port 1.');
  expect(rightsText([shared(1, 'watch'), shared(2, 'watch')])).toBe('You may watch ports 1 and 2.');
  expect(rightsText([shared(1, 'watch'), shared(2, 'use'), shared(3, 'type'), shared(4, 'watch')])).toBe(
    'You may use port 2, type on port 3 and watch ports 1 and 4.',
  );
});

it('others are named when they may do more than watch', () => {
  const people = [
    { name: 'Jonas W.', isYou: false, rights: [{ port: 1, right: 'type' as const }] },
    { name: 'Aylin K.', isYou: false, rights: [{ port: 2, right: 'use' as const }] },
    { name: 'Priya S.', isYou: true, rights: [{ port: 1, right: 'type' as const }] },
    { name: 'Sam', isYou: false, rights: [] },
  ];
  expect(othersText({ people, ports: [shared(1, 'type'), shared(2, 'watch', 'Aylin K.')] })).toBe(
    'Jonas W. may type on port 1, Aylin K. uses port 2.',
  );
  expect(othersText({ people: [], ports: [] })).toBe('');
});

it('every end of a visit says what happened and what to do', () => {
  expect(endingWords(null).title).toBe('You have left the shared bench');
  expect(endingWords('expelled')).toMatchObject({ title: 'Your visit was ended', again: true });
  expect(endingWords('ended')).toMatchObject({ title: 'Sharing has ended', again: false });
  expect(endingWords('fell-behind').text).toContain('waiting');
});

it('every end and every fault has a remedy', () => {
  const words = [
    ...(Object.keys(remoteFailureText) as RemoteFailure[]).map((why) => endingWords(why)),
    ...(['no-link', 'wrong-key', 'insecure-context', 'no-web-socket'] as const).map((fault) => faultWords(fault)),
  ];
  const remedy = /(Ask|ask for|Try|Reload|[Oo]pen the (same )?link)/;
  expect(words.filter(({ text }) => !remedy.test(text))).toEqual([]);
});

it('a guest who may type is not described as a watcher, nor is one whose host is away', () => {
  const visit = { state: 'joined', isHostAway: false, using: [] } as const;
  const standing = (...ports: SharedPortFacts[]) => standingText({ ...visit, ports });
  expect(standing(shared(1, 'watch'), shared(2, 'watch'))).toBe('2 remote ports, watching');
  expect(standing(shared(1, 'watch'), shared(2, 'type'))).toBe('2 remote ports, you may type');
  expect(standing(shared(1, 'use'))).toBe('1 remote port, you may use');
  expect(standingText({ ...visit, ports: [shared(1, 'use')], using: [1] })).toBe('1 remote port, using');
  expect(standing()).toBe('No port is shared');
  expect(standingText({ ...visit, ports: [shared(1, 'type')], isHostAway: true })).toBe('Waiting for the host');
  expect(standingText({ ...visit, ports: [], state: 'away', isHostAway: true })).toBe('Waiting for the host');
  expect(standingText({ ...visit, ports: [shared(1, 'type')], state: 'away' })).toBe('Not connected');
  expect(standingText({ ...visit, ports: [], state: 'ended', isHostAway: true })).toBe('Not connected');
});

it('the title of the wait names the host, then an unanswered call', () => {
  const tick = { host: '', isHostAway: false };
  expect(waitingWords(tick, 0, true).title).toBe('Joining the shared bench…');
  expect(waitingWords(tick, patience, true).title).toBe('Nobody answers');
  expect(waitingWords(tick, patience, true).text).toContain('block WebSockets');
  expect(waitingWords({ ...tick, isHostAway: true }, 0, true).text).toContain('whoever shares the bench');
  expect(waitingWords(tick, patience, false).title).toBe('You are offline');
});

it('a link with its key is read, and one that was cut says so', () => {
  const link = formatShareLink({ origin: 'http://localhost', room: 'r'.repeat(22), secret: makeSecret(webCrypto) });
  // The simulated document has no cryptography. Parsing a link does not use it.
  vi.stubGlobal('crypto', { subtle: {} });
  expect(readLink(link)).toMatchObject({ room: 'r'.repeat(22) });
  expect(readLink(link.slice(0, -3))).toBe('wrong-key');
  expect(readLink(link.replace(/#.*/, ''))).toBe('wrong-key');
  expect(readLink('http://localhost/')).toBe('no-link');
  vi.stubGlobal('WebSocket', undefined);
  expect(readLink(link)).toBe('no-web-socket');
  vi.unstubAllGlobals();
});
