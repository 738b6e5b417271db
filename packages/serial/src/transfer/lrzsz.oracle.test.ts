/**
 * lrzsz, the usual programs for these protocols since 1996, sends to this code and receives from it, over a clean line and
 * over one that drops, doubles and changes bytes. Runs if lrzsz is installed.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { isLong } from '@wirebench/test-input';
import { afterAll, describe, expect, it } from 'vitest';
import { receiveFiles, sendFiles } from './run-transfer.ts';
import { hasLrzsz, hastyClock, type Lrzsz, type LrzszOptions, runLrzsz } from './testing/lrzsz.ts';
import { memoryStore, outgoing } from './testing/memory-files.ts';
import { fileBytes } from './testing/noisy-line.ts';
import type { OutgoingFile, TransferProtocol } from './transfer-types.ts';

/** Programs of all tests, which run at the same time: they wait for each other's time limits and use no processor. */
const running: Lrzsz[] = [];
afterAll(() => {
  for (const program of running) {
    program.dispose();
  }
});

/** A damaged line makes the protocols wait for their time limits. */
const clockFor = ({ toProgram, fromProgram }: LrzszOptions) => ((toProgram ?? fromProgram) ? hastyClock : systemClock);

function start(program: string, args: readonly string[], options: LrzszOptions = {}): Lrzsz {
  const started = runLrzsz(program, args, options);
  running.push(started);
  return started;
}

const allValues = Uint8Array.from({ length: 2_048 }, (_, index) => index);
const cancels = new Uint8Array(3_000).fill(0x18);
const contents = {
  'all values': allValues,
  'nothing but CAN': cancels,
  'one byte': Uint8Array.of(0x1a),
  'no byte': new Uint8Array(),
  '200 kB': fileBytes(200_003, 7),
};

/** XMODEM pads to whole blocks. */
function padded(bytes: Uint8Array, received: Uint8Array): void {
  expect(received.length - bytes.length).toBeLessThan(1_024);
  expect(received.subarray(0, bytes.length)).toEqual(bytes);
  expect(received.subarray(bytes.length).every((byte) => byte === 0x1a)).toBe(true);
}

/**
 * Takes the request of sz off the line, as a port's detector does. A receiver that begins before it asks twice, and sz
 * repeats its first frames then.
 */
async function takeRequest({ link }: Lrzsz): Promise<void> {
  const { signal } = new AbortController();
  let asked = '';
  while (!/B00[0-9a-f]{12}/.test(asked)) {
    asked += new TextDecoder('latin1').decode(await link.read(signal));
  }
}

const receivers = {
  xmodem: ['rx', '-b', 'file.bin'],
  'xmodem-1k': ['rx', '-b', '-c', 'file.bin'],
  ymodem: ['rb', '-b'],
  zmodem: ['rz', '-b'],
} as const satisfies Record<TransferProtocol, readonly string[]>;
const senders = {
  xmodem: ['sx', '-b'],
  'xmodem-1k': ['sx', '-b', '-k'],
  ymodem: ['sb', '-b'],
  zmodem: ['sz', '-b'],
} as const satisfies Record<TransferProtocol, readonly string[]>;
const protocols = Object.keys(receivers) as TransferProtocol[];

describe.runIf(hasLrzsz()).concurrent('lrzsz', { timeout: 120_000 }, () => {
  async function sendTo(protocol: TransferProtocol, files: readonly OutgoingFile[], options: LrzszOptions = {}) {
    const [program, ...args] = receivers[protocol];
    const peer = start(program, ['-q', '-t', '10', ...args], options);
    const report = await sendFiles(protocol, files, { link: peer.link, clock: clockFor(options) });
    peer.child.stdin?.end();
    const status = await peer.ended();
    return { peer, report, status, read: (name: string) => new Uint8Array(readFileSync(join(peer.folder, name))) };
  }

  async function receiveFrom(
    protocol: TransferProtocol,
    files: Readonly<Record<string, Uint8Array>>,
    options: LrzszOptions & { readonly args?: readonly string[]; readonly afterRequest?: boolean } = {},
  ) {
    const [program, ...args] = senders[protocol];
    const folder = start('true', []).folder;
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(join(folder, name), bytes);
    }
    const peer = start(program, ['-q', ...args, ...(options.args ?? []), ...Object.keys(files)], {
      ...options,
      folder,
    });
    if (options.afterRequest === true) {
      await takeRequest(peer);
    }
    const store = memoryStore();
    const report = await receiveFiles(protocol, store, { link: peer.link, clock: clockFor(options), name: 'file.bin' });
    return { peer, report, store };
  }

  // The longest tests begin first.
  const noise = { drop: 0.0004, double: 0.0002, change: 0.0004 };
  /** The checksum of XMODEM misses one block in 256 whose bytes move, so none is doubled. */
  const noiseOf = (protocol: TransferProtocol) => (protocol === 'xmodem' ? { ...noise, double: 0, drop: 0 } : noise);
  // Noise and our own answers to it are in `block-transfer.test.ts` and `zmodem-transfer.test.ts`.
  const noisy = fileBytes(12_000, 5);

  it.each(['ymodem', 'zmodem'] as const)(
    'takes a name of 157 and of 255 characters whole by %s, and a cut one that it gives is known',
    async (protocol) => {
      for (const name of [`${'n'.repeat(153)}.bin`, `${'n'.repeat(251)}.bin`]) {
        const bytes = fileBytes(300, 9);
        const { report, read } = await sendTo(protocol, [outgoing(name, bytes)]);
        expect([report.outcome, Buffer.compare(read(name), bytes)]).toEqual(['complete', 0]);
        const { store } = await receiveFrom(protocol, { [name]: bytes });
        // `sb` sends block 0 in 128 bytes, so it cuts the name.
        const offer = protocol === 'zmodem' ? { name } : { name: name.slice(0, 128), isNameCut: true };
        expect(store.files[0]).toMatchObject({ offer, isWhole: true });
      }
    },
  );

  it.runIf(isLong).each([
    ['xmodem', 11],
    ['xmodem', 12],
    ['xmodem-1k', 3],
    ['ymodem', 4],
    ['ymodem', 5],
    ['zmodem', 6],
    ['zmodem', 7],
    ['zmodem', 8],
  ] as const)('receives by %s over a noisy line (seed %i)', async (protocol, seed) => {
    const { report, read } = await sendTo(protocol, [outgoing('file.bin', noisy)], {
      toProgram: { seed, ...noiseOf(protocol) },
      fromProgram: { seed: seed + 100, ...(protocol === 'zmodem' ? noise : {}) },
    });
    expect(report.outcome).toBe('complete');
    expect(report.repeats).toBeGreaterThan(0);
    expect(read('file.bin').subarray(0, noisy.length)).toEqual(noisy);
  });

  it.runIf(isLong).each([
    ['xmodem', 11],
    ['xmodem', 12],
    ['xmodem-1k', 3],
    ['ymodem', 4],
    ['ymodem', 5],
    ['zmodem', 6],
    ['zmodem', 7],
    ['zmodem', 8],
  ] as const)('sends by %s over a noisy line (seed %i)', async (protocol, seed) => {
    const { report, store } = await receiveFrom(
      protocol,
      { 'file.bin': noisy },
      {
        fromProgram: { seed, ...noiseOf(protocol) },
        toProgram: { seed: seed + 100, ...(protocol === 'zmodem' ? noise : {}) },
      },
    );
    expect(report.outcome).toBe('complete');
    expect(report.repeats).toBeGreaterThan(0);
    expect(store.files[0]?.bytes.subarray(0, noisy.length)).toEqual(noisy);
  });

  describe.each(protocols)('%s', (protocol) => {
    it.each(Object.entries(contents))('receives %s', async (_, bytes) => {
      const { report, read, status } = await sendTo(protocol, [outgoing('file.bin', bytes)]);
      expect(report).toMatchObject({ outcome: 'complete', repeats: 0 });
      if (protocol.startsWith('x')) {
        padded(bytes, read('file.bin'));
      } else {
        expect(read('file.bin')).toEqual(bytes);
      }
      expect(status).toBe(0);
    });

    it.each(Object.entries(contents))('sends %s', async (_, bytes) => {
      const { report, store, peer } = await receiveFrom(protocol, { 'file.bin': bytes });
      expect(report).toMatchObject({ outcome: 'complete', repeats: 0 });
      if (protocol.startsWith('x')) {
        padded(bytes, store.files[0]?.bytes ?? new Uint8Array());
      } else {
        expect(store.files[0]?.bytes).toEqual(bytes);
        expect(store.files[0]?.offer).toMatchObject({ name: 'file.bin', size: bytes.length });
      }
      expect(store.files[0]?.isWhole).toBe(true);
      expect(await peer.ended()).toBe(0);
    });
  });

  it.each(['ymodem', 'zmodem'] as const)('takes and gives several files by %s', async (protocol) => {
    const files = { 'one.bin': allValues, 'empty.bin': new Uint8Array(), 'three.bin': fileBytes(5_000, 3) };
    const sent = await sendTo(
      protocol,
      Object.entries(files).map(([name, bytes]) => outgoing(name, bytes)),
    );
    expect(sent.report.files.map(({ state }) => state)).toEqual(['complete', 'complete', 'complete']);
    expect(readdirSync(sent.peer.folder).sort()).toEqual(Object.keys(files).sort());
    const received = await receiveFrom(protocol, files);
    expect(received.report.outcome).toBe('complete');
    for (const [index, [name, bytes]] of Object.entries(files).entries()) {
      expect(sent.read(name)).toEqual(bytes);
      expect(received.store.files[index]).toMatchObject({ offer: { name }, isWhole: true });
      expect(received.store.files[index]?.bytes).toEqual(bytes);
    }
  });

  it.each([
    ['CRC-16', ['-o']],
    ['all control characters escaped', ['-e']],
    ['subpackets of 8 KiB', ['-8', '--start-8k']],
    ['a window', ['-w', '4096']],
    ['short frames', ['-l', '2048', '-L', '256']],
  ] as const)('sends with %s', async (_, args) => {
    const { report, store } = await receiveFrom(
      'zmodem',
      { 'file.bin': contents['200 kB'] },
      { args, afterRequest: true },
    );
    expect(report).toMatchObject({ outcome: 'complete', repeats: 0 });
    expect(store.files[0]?.bytes).toEqual(contents['200 kB']);
  });

  it('asks for escaped control characters and a small buffer, and gets them', async () => {
    const peer = start('rz', ['-q', '-b', '-e', '-w', '2048']);
    const report = await sendFiles('zmodem', [outgoing('file.bin', allValues)], {
      link: peer.link,
      clock: systemClock,
    });
    expect(report).toMatchObject({ outcome: 'complete', repeats: 0 });
    await peer.ended();
    expect(new Uint8Array(readFileSync(join(peer.folder, 'file.bin')))).toEqual(allValues);
  });

  it('continues a file of which rz has a part', async () => {
    const bytes = fileBytes(60_000, 9);
    const peer = start('rz', ['-q', '-b', '-r']);
    writeFileSync(join(peer.folder, 'file.bin'), bytes.subarray(0, 25_000));
    const options = { link: peer.link, clock: systemClock, resume: true };
    const report = await sendFiles('zmodem', [outgoing('file.bin', bytes)], options);
    peer.child.stdin?.end();
    await peer.ended();
    expect(report.files).toEqual([{ name: 'file.bin', bytes: 60_000, from: expect.any(Number), state: 'complete' }]);
    expect(report.files[0]?.from).toBeGreaterThanOrEqual(24_000);
    expect(new Uint8Array(readFileSync(join(peer.folder, 'file.bin')))).toEqual(bytes);
  });

  it.each([
    ['continues', 25_000],
    ['starts from 0 with', 0],
  ] as const)('%s a part that sz does not have like this', async (_, same) => {
    const bytes = fileBytes(60_000, 9);
    const part = bytes.slice(0, 25_000);
    part.fill(0, same);
    const folder = start('true', []).folder;
    writeFileSync(join(folder, 'file.bin'), bytes);
    const peer = start('sz', ['-q', '-b', 'file.bin'], { folder });
    const store = memoryStore({ 'file.bin': part });
    const report = await receiveFiles('zmodem', store, { link: peer.link, clock: systemClock });
    expect(report.files).toMatchObject([{ from: same, bytes: 60_000, state: 'complete' }]);
    expect(store.files[0]?.bytes).toEqual(bytes);
  });

  describe.each(protocols)('a cancel of %s', (protocol) => {
    it('ends rx, rb and rz', async () => {
      const [program, ...args] = receivers[protocol];
      const peer = start(program, ['-q', '-t', '20', ...args]);
      const abort = new AbortController();
      const onProgress = ({ sent }: { readonly sent: number }) => sent > 2_000 && abort.abort();
      const options = { link: peer.link, clock: hastyClock, signal: abort.signal, onProgress };
      const report = await sendFiles(protocol, [outgoing('file.bin', contents['200 kB'])], options);
      expect(report).toMatchObject({ outcome: 'cancelled', files: [{ state: 'partial' }] });
      expect(await peer.ended()).not.toBe(0);
    });

    it('ends sx, sb and sz', async () => {
      const [program, ...args] = senders[protocol];
      const folder = start('true', []).folder;
      writeFileSync(join(folder, 'file.bin'), contents['200 kB']);
      const peer = start(program, ['-q', ...args, 'file.bin'], { folder });
      const abort = new AbortController();
      const onProgress = ({ sent }: { readonly sent: number }) => sent > 2_000 && abort.abort();
      const store = memoryStore();
      const options = { link: peer.link, clock: hastyClock, signal: abort.signal, onProgress };
      const report = await receiveFiles(protocol, store, options);
      expect(report).toMatchObject({ outcome: 'cancelled', files: [{ state: 'partial' }] });
      expect(store.files[0]?.isWhole).toBe(false);
      expect(await peer.ended()).not.toBe(0);
    });
  });

  it('ends an rb that is cancelled before it has asked', async () => {
    const abort = new AbortController();
    const peer = start('sh', ['-c', 'sleep 1; exec rb -q -b -t 20']);
    const done = sendFiles('ymodem', [outgoing('file.bin', allValues)], {
      link: peer.link,
      clock: systemClock,
      signal: abort.signal,
    });
    abort.abort();
    expect((await done).outcome).toBe('cancelled');
    expect(await peer.ended()).not.toBe(0);
  });

  it.each([118, 123, 124, 125, 126, 140])('gives sb a file whole whose name has %i letters', async (letters) => {
    const bytes = fileBytes(5_000, letters);
    const { report, store } = await receiveFrom('ymodem', { ['a'.repeat(letters)]: bytes });
    expect(report.outcome).toBe('complete');
    const [file] = store.files;
    expect(file?.bytes.subarray(0, bytes.length)).toEqual(bytes);
    expect(file?.bytes.subarray(bytes.length).every((byte) => byte === 0x1a)).toBe(true);
  });

  // SIGINT is no end of it: sz takes it for a receiver that wants attention.
  it('notices that sz and rz were ended', async () => {
    const stopAt = (peer: Lrzsz) => (progress: { readonly sent: number }) => {
      if (progress.sent > 2_000) {
        peer.child.kill('SIGTERM');
      }
    };
    const receiver = start('rz', ['-q', '-b']);
    const sent = await sendFiles('zmodem', [outgoing('file.bin', fileBytes(1_000_000, 3))], {
      link: receiver.link,
      clock: hastyClock,
      onProgress: stopAt(receiver),
    });
    expect(sent.outcome).toBe('peer-cancelled');
    const folder = start('true', []).folder;
    writeFileSync(join(folder, 'file.bin'), fileBytes(4_000_000, 3));
    const sender = start('sz', ['-q', '-b', 'file.bin'], { folder });
    const received = await receiveFiles('zmodem', memoryStore(), {
      link: sender.link,
      clock: hastyClock,
      onProgress: stopAt(sender),
    });
    expect(received.outcome).toBe('peer-cancelled');
  });

  it('refuses to run the command that sz asks for', async () => {
    const peer = start('sz', ['-q', '-c', 'touch was-here']);
    const report = await receiveFiles('zmodem', memoryStore(), { link: peer.link, clock: hastyClock });
    expect(report.outcome).toBe('refused');
    expect(await peer.ended()).not.toBe(0);
  });
});
