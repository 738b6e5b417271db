/**
 * Tests a guest with a forged page that sends every possible request without the right to it. Only the host decides.
 */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import type { Message, MessageOf, Right } from './frames/messages.ts';
import type { BenchAccess } from './host/bench-access.ts';
import { EarlierLines } from './host/earlier-lines.ts';
import { KnownGuests } from './host/known-guests.ts';
import { PortUses } from './host/port-uses.ts';
import { TapLog } from './host/tap-log.ts';
import { Visit } from './host/visit.ts';
import { limits } from './limits.ts';

const settings = { baudRate: 115_200, dataBits: '8', stopBits: '1', parity: 'none', flowControl: 'none' } as const;
const bytes = Uint8Array.of(1, 2, 3);
const step = { dtr: true, rts: false, wait: 1 };

/** All requests to a port, with the lowest right that each needs. */
const requests: readonly (readonly [
  Right,
  MessageOf<'type' | 'keys' | 'hidden' | 'open' | 'close' | 'signals' | 'steps' | 'inputs' | 'drain' | 'answerTime'>,
])[] = [
  ['type', { kind: 'type', request: 1, port: 1, bytes }],
  ['type', { kind: 'keys', request: 1, port: 1, bytes }],
  ['type', { kind: 'hidden', request: 1, port: 1, bytes }],
  ['use', { kind: 'open', request: 1, port: 1, settings, window: 1_000 }],
  ['use', { kind: 'close', request: 1, port: 1 }],
  ['use', { kind: 'signals', request: 1, port: 1, dtr: true, rts: true, break: true }],
  ['use', { kind: 'steps', request: 1, port: 1, steps: [step], release: [step] }],
  ['use', { kind: 'inputs', request: 1, port: 1 }],
  ['use', { kind: 'drain', request: 1, port: 1 }],
  ['use', { kind: 'answerTime', request: 1, port: 1 }],
];

const unanswered: readonly MessageOf<'bytes' | 'areKeys' | 'hold' | 'expect' | 'credit' | 'stop' | 'discard'>[] = [
  { kind: 'bytes', port: 1, at: 0, bytes },
  { kind: 'areKeys', port: 1, at: 0, length: 3 },
  { kind: 'hold', port: 1, at: 0, delimiter: 0xc0, begins: bytes, ends: bytes },
  { kind: 'expect', port: 1, at: 0, begins: bytes, length: 3, pause: 0, limit: 1_000 },
  { kind: 'credit', port: 1, total: 1_000_000 },
  { kind: 'stop', port: 1 },
  { kind: 'discard', port: 1, upTo: 100 },
];

function host() {
  const clock = new VirtualClock(1_000_000);
  const device = new FakeSerialPort();
  const done: string[] = [];
  const bench: BenchAccess = {
    acquire: async (port) => {
      done.push(`acquire ${port}`);
      return device;
    },
    release: (port) => done.push(`release ${port}`),
    type: async () => undefined,
    passed: () => undefined,
  };
  const uses = new PortUses({ clock, limits, tap: () => undefined, changed: () => undefined, bench });
  const tap = new TapLog(limits);
  const earlier = new EarlierLines({ clock, limits, bench, tap, ports: () => [1], guests: () => 1 });
  const guest = (name: string) => {
    let number = 0;
    const over: string[] = [];
    const visit: Visit = new Visit(name, name, {
      clock,
      limits,
      uses,
      tap,
      known: new KnownGuests(10),
      earlier,
      canHide: true,
      type: async (port) => void done.push(`type ${port}`),
      changed: () => undefined,
      typistsWanted: () => undefined,
      statusChanged: () => undefined,
      over: (why) => over.push(why),
    });
    const answers: string[] = [];
    const sent = visit.send.bind(visit);
    visit.send = (message) => {
      if (message.kind === 'answer') {
        answers.push(message.answer);
      }
      sent(message);
    };
    const say = (message: Message) => visit.receive({ number: ++number, message });
    return { visit, answers, over, say };
  };
  return { clock, device, done, guest };
}

describe.each(requests)('a request that needs the right to %s', (needed, request) => {
  it.each(['watch', 'type'] as const)(
    `${request.kind} is done, or refused without an effect, given the right to %s`,
    async (right) => {
      const { clock, device, done, guest } = host();
      const { visit, answers, over, say } = guest('Eve');
      visit.setRight(1, right);
      // The right to another port must not count for this one.
      visit.setRight(2, 'use');
      say(request);
      await clock.advance(1_000);
      const allowed = needed === 'type' && right === 'type';
      expect(answers).toEqual([allowed ? 'done' : 'no-right']);
      expect(done).toEqual(allowed ? ['type 1'] : []);
      expect(device.calls).toEqual([]);
      expect(over).toEqual([]);
    },
  );
});

it('messages without an answer do nothing to a port that another guest uses', async () => {
  const { clock, device, guest } = host();
  const grace = guest('Grace');
  grace.visit.setRight(1, 'use');
  grace.say({ kind: 'open', request: 1, port: 1, settings, window: 1_000 });
  await clock.advance(1_000);
  expect(grace.answers).toEqual(['done']);
  device.calls.length = 0;
  for (const right of ['watch', 'type', 'use'] as const) {
    const eve = guest(`Eve, ${right}`);
    eve.visit.setRight(1, right);
    for (const message of unanswered) {
      eve.say(message);
    }
    await clock.advance(1_000);
    expect(eve.over).toEqual([]);
  }
  expect(device.written).toEqual([]);
  expect(device.calls).toEqual([]);
  expect(device.isOpen).toBe(true);
});

it('messages of a guest whose right was taken do not reach the port that it had open', async () => {
  const { clock, device, done, guest } = host();
  const { visit, answers, say } = guest('Eve');
  visit.setRight(1, 'use');
  say({ kind: 'open', request: 1, port: 1, settings, window: 1_000 });
  await clock.advance(1_000);
  visit.setRight(1, 'type');
  await clock.advance(limits.reopen);
  device.calls.length = 0;
  for (const message of [...unanswered, ...requests.filter(([needed]) => needed === 'use').map(([, one]) => one)]) {
    say(message);
  }
  await clock.advance(1_000);
  expect(answers.slice(1)).toEqual(Array.from({ length: 7 }, () => 'no-right'));
  expect(device.written).toEqual([]);
  expect(device.calls).toEqual([]);
  expect(done).toEqual(['acquire 1', 'release 1']);
});
