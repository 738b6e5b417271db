/** Uploads to a scripted server: several packets under way, unexpected offsets, lost packets. */
import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/program.ts';
import { openNrfPort } from '../connect/nrf-port.ts';
import type { CborValue } from './cbor.ts';
import { encodeLines, LineDecoder } from './console-lines.ts';
import { bytesIn, decodeSmp, encodeSmp, numberIn } from './smp.ts';
import { SmpLink } from './smp-link.ts';
import { Upload, type UploadPlan } from './upload.ts';

const never = new AbortController().signal;

/** A server that takes 20 ms for each upload request, one after the other. */
class Server {
  readonly clock = new VirtualClock(1_000);
  readonly port = new FakeSerialPort();
  readonly image: number[] = [];
  readonly offsets: number[] = [];
  /** Map keys of the first chunk. */
  keys: string[] = [];
  most = 0;
  largest = 0;
  #waiting = 0;
  #free = 0;
  /** Returns a special reply; null for the regular one. */
  reply: (offset: number, count: number) => ReadonlyMap<string, CborValue> | 'lost' | null = () => null;

  constructor() {
    const decoder = new LineDecoder({ packet: (packet) => this.#take(packet), text: () => undefined });
    this.port.onWrite = (bytes) => decoder.push(bytes);
  }

  async upload(bytes: Uint8Array, plan: Partial<UploadPlan> = {}): Promise<Upload> {
    const port = await openNrfPort(this.port, { clock: this.clock }, never);
    const link = new SmpLink(port, () => undefined);
    return Upload.of(link, { bytes, number: 0, packet: 500, window: 1, ...plan }, () => undefined);
  }

  async run<Result>(work: Promise<Result>): Promise<Result> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    work.then(end, end);
    for (await this.clock.settle(); !ended; await this.clock.advance(10)) {
      expect(this.clock.now()).toBeLessThan(200_000);
    }
    return work;
  }

  #take(packet: Uint8Array): void {
    this.largest = Math.max(this.largest, packet.length);
    // `decodeSmp` reads answers only, whose operation is odd, so the request is turned into one.
    const request = decodeSmp(Uint8Array.of((packet[0] ?? 0) + 1, ...packet.subarray(1)));
    if (request === null) {
      return;
    }
    this.most = Math.max(this.most, ++this.#waiting);
    this.#free = Math.max(this.clock.now(), this.#free) + 20;
    this.clock.schedule(this.#free - this.clock.now(), () => {
      this.#waiting--;
      const answer = request.group === 1 ? this.#store(request.data) : new Map([['r', 'echo']]);
      if (answer !== 'lost') {
        const command = { op: request.op + 1, group: request.group, id: request.id };
        this.port.receive(encodeLines(encodeSmp(command, request.sequence, answer)));
      }
    });
  }

  #store(data: ReadonlyMap<string, CborValue>): ReadonlyMap<string, CborValue> | 'lost' {
    const [offset, chunk] = [numberIn(data, 'off') ?? -1, bytesIn(data, 'data') ?? new Uint8Array()];
    this.offsets.push(offset);
    if (offset === 0) {
      this.image.length = 0;
      this.keys = [...data.keys()];
    }
    const other = this.reply(offset, this.offsets.length);
    if (other !== null && other !== 'lost') {
      return other;
    }
    if (offset === this.image.length) {
      this.image.push(...chunk);
    }
    return (
      other ??
      new Map<string, CborValue>([
        ['rc', 0],
        ['off', this.image.length],
      ])
    );
  }
}

describe('an upload', () => {
  const image = noise(5_000);

  it('sends one packet at a time, as large as the board takes, and whole units of flash', async () => {
    const server = new Server();
    const upload = await server.upload(image);
    await server.run(upload.run(never));
    expect(Uint8Array.from(server.image)).toEqual(image);
    expect(server.most).toBe(1);
    expect(server.largest).toBeLessThanOrEqual(500);
    expect(server.largest).toBeGreaterThan(460);
    expect(server.offsets.every((offset) => offset % 32 === 0)).toBe(true);
    expect(server.keys).toEqual(['len', 'sha', 'off', 'data']);
  });

  it('names its image on a device with several', async () => {
    const server = new Server();
    await server.run((await server.upload(image, { number: 2 })).run(never));
    expect(server.keys).toEqual(['image', 'len', 'sha', 'off', 'data']);
  });

  it('has several packets in flight if the board has room for them, but the first one alone', async () => {
    const server = new Server();
    const one = await server.upload(image, { window: 3 });
    await server.run(one.run(never));
    expect(Uint8Array.from(server.image)).toEqual(image);
    expect(server.most).toBe(3);
  });

  it('continues at the offset of the board', async () => {
    const server = new Server();
    server.reply = (_offset, count) => (count === 3 ? new Map([['off', server.image.length]]) : null);
    const upload = await server.upload(image, { window: 3 });
    await server.run(upload.run(never));
    expect(Uint8Array.from(server.image)).toEqual(image);
  });

  it('resumes an earlier upload', async () => {
    const server = new Server();
    server.reply = (offset) => {
      if (offset === 0) {
        server.image.push(...image.subarray(0, 3_200));
        return new Map([['off', 3_200]]);
      }
      return null;
    };
    await server.run((await server.upload(image)).run(never));
    expect(Uint8Array.from(server.image)).toEqual(image);
    expect(server.offsets[1]).toBe(3_200);
  });

  it('detects a lost answer by an echo, long before the deadline', async () => {
    const server = new Server();
    server.reply = (_offset, count) => (count === 2 ? 'lost' : null);
    const upload = await server.upload(image);
    await expect(server.run(upload.run(never))).rejects.toMatchObject({ code: 'stopped-answering' });
    expect(server.clock.now() - 1_000).toBeLessThan(2_000);
    await server.run(upload.run(never));
    expect(Uint8Array.from(server.image)).toEqual(image);
  });

  it.each([
    [2, 'no-room'],
    [3, 'no-room'],
    [5, 'type-unsupported'],
    [6, 'not-permitted'],
    [8, 'request-unknown'],
    [99, 'refused'],
  ])('ends with result %i as %s', async (result, code) => {
    const server = new Server();
    server.reply = () => new Map([['rc', result]]);
    await expect(server.run((await server.upload(image)).run(never))).rejects.toMatchObject({ code });
  });

  it('ends if the board makes no progress', async () => {
    const server = new Server();
    server.reply = () => new Map([['off', 0]]);
    await expect(server.run((await server.upload(image)).run(never))).rejects.toMatchObject({ code: 'write-failed' });
  });

  it('ends if the board reports a wrong hash', async () => {
    const server = new Server();
    server.reply = (offset) =>
      offset > 4_500
        ? new Map<string, CborValue>([
            ['off', 5_000],
            ['match', false],
          ])
        : null;
    await expect(server.run((await server.upload(image)).run(never))).rejects.toMatchObject({ code: 'image-damaged' });
  });
});
