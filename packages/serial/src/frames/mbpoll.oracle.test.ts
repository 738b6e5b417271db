/** mbpoll as the master of the simulated Modbus line: it reads the values that a listening port shows. With socat. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Device } from '@wirebench/devices';
import { readyReader } from '@wirebench/frames/ready-reader';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { createModel } from '../../../devices/src/models.ts';
import { canCall, servePseudoTerminal, socatCall } from '../../../devices/src/testing/pseudo-terminal.ts';
import type { DeviceLine } from '../../../devices/src/wire/device.ts';

interface Heard {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** A device with a port that listens to both directions of its line. */
function overheard(device: Device, heard: Heard[]): Device {
  const hear = (bytes: Uint8Array) => heard.push({ at: performance.now(), bytes: bytes.slice() });
  return new Proxy(device, {
    get: (target, name) => {
      if (name === 'attach') {
        return (line: DeviceLine) =>
          target.attach(
            new Proxy(line, {
              get: (inner, part) => {
                if (part === 'write') {
                  return (bytes: Uint8Array) => {
                    hear(bytes);
                    return inner.write(bytes);
                  };
                }
                const value: unknown = Reflect.get(inner, part, inner);
                return typeof value === 'function' ? value.bind(inner) : value;
              },
            }),
          );
      }
      if (name === 'receive') {
        return (bytes: Uint8Array) => {
          hear(bytes);
          target.receive(bytes);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Frames that a listening port shows. */
async function framesOf(heard: readonly Heard[]) {
  const { reader } = await readyReader('modbus');
  const cutter = reader.cutter('received');
  const conversation = reader.conversation();
  const all = Buffer.concat(heard.map(({ bytes }) => bytes));
  for (const { at, bytes } of heard) {
    cutter.push(bytes, 0, bytes.length, at);
  }
  cutter.end();
  const frames = [];
  for (let piece = cutter.next(), from = 0; piece !== null; from += piece.length, piece = cutter.next()) {
    const bytes = Uint8Array.from(all.subarray(from, from + piece.length));
    const link = conversation.add(bytes, piece.kind, 'received', piece.at, piece.until);
    frames.push({ frame: conversation.decode(bytes, piece.kind, link, 'received'), role: link.role });
  }
  return frames;
}

/** Unit, kind as mbpoll names it, first address and count; and the function that reads it. */
const polls = [
  { unit: 7, type: '4', from: 0, count: 4, code: 3 },
  { unit: 21, type: '3', from: 0, count: 4, code: 4 },
  { unit: 12, type: '1', from: 3, count: 9, code: 2 },
  { unit: 7, type: '4', from: 10, count: 1, code: 3 },
  { unit: 12, type: '0', from: 0, count: 16, code: 1 },
] as const;

describe.runIf(canCall(socatCall, ['sh', '-c', 'command -v mbpoll']))('simulated Modbus line beside mbpoll', () => {
  it('has the values that a listening port shows', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wirebench-mbpoll-'));
    try {
      for (const { unit, type, from, count, code } of isLong ? [...polls, ...polls] : polls.slice(0, 3)) {
        const heard: Heard[] = [];
        const link = join(folder, 'line');
        const terminal = await servePseudoTerminal(
          overheard(createModel('modbus-line', { seed: 1 }), heard),
          link,
          'wire',
        );
        const program = spawn('mbpoll', [
          ...['-m', 'rtu', '-b', '19200', '-P', 'none', '-a', `${unit}`, '-t', type, '-0', '-r', `${from}`],
          // Its longest limit for an answer, in seconds: a busy machine may take one.
          ...['-c', `${count}`, '-1', '-o', '10', link],
        ]);
        let text = '';
        program.stdout.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        await once(program, 'close');
        await terminal.close();
        const theirs = [...text.matchAll(/^\[(\d+)\]:\s+(-?\d+)/gm)].map(([, address, value]) => [
          Number(address),
          // Registers above 32,767 are shown as negative numbers, too.
          Number(value) & 0xffff,
        ]);
        expect(theirs, text).toHaveLength(count);
        const answer = (await framesOf(heard)).findLast(
          ({ role, frame }) =>
            role === 'answer' &&
            Number(frame.who) === unit &&
            frame.fields.some(({ name, value }) => name === 'function' && value === code),
        );
        const ours = (answer?.frame.fields ?? [])
          .filter(({ place }) => place !== undefined)
          .map(({ place, value }) => [Number(place), Number(value)]);
        expect(ours).toEqual(theirs);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
