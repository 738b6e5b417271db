import { VirtualClock } from '@wirebench/clock';
import { espFirmwareSet, signedImage } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import type { DemoModel } from '../../../hardware/demo-device.ts';
import { askOn } from '../../../protocol/calls/testing/ask-on.ts';
import { type EspTypes, espSettings } from '../../../protocol/esp-types.ts';
import type { PlanRequest } from '../../../protocol/flash-protocol.ts';
import { PortDevices } from '../../bench/port-devices.ts';
import { workerFamily } from '../worker-family.ts';
import { espFamilyParts } from './esp-family.ts';

const app = espFirmwareSet({ chip: 'esp32c3', project: 'node', version: '1.0.0', text: 'Hello\r\n' }).find(
  ({ offset }) => offset === 0x10000,
);
const never = new AbortController().signal;
const quiet = { signal: never, onProgress: () => undefined };
const carry = {
  signal: never,
  unseen: <Result>(act: () => Promise<Result>) => act(),
  onStage: () => undefined,
  onEvent: () => undefined,
};

/** Sets up the family with a demo board on a virtual clock. */
function bench() {
  const clock = new VirtualClock(1_000_000);
  const devices = new PortDevices(clock, () => undefined);
  const family = workerFamily(espFamilyParts(), clock);
  const lines: string[] = [];
  const ask = <Answer>(call: Promise<Answer>) => askOn(clock, call, { stride: 20, pace: 'turn' });
  return {
    ask,
    lines,
    async connect(model: DemoModel) {
      const device = await ask(devices.take(1, { kind: 'demo', model }, 115_200));
      const context = {
        signal: never,
        onStep: () => undefined,
        say: ({ text }: { readonly text: string }) => lines.push(text),
        onText: () => undefined,
        device,
        returned: () => Promise.reject(new Error('It does not vanish.')),
        port: 1,
        isSame: false,
        isDemo: true,
      } as const;
      return ask(family.connect({ baudRate: 921_600, settings: espSettings }, context));
    },
    async add(bytes: Uint8Array): Promise<PlanRequest<EspTypes['settings']>> {
      const { files } = await ask(family.files.add([{ name: 'app.bin', content: new Blob([Uint8Array.from(bytes)]) }]));
      return {
        files: files.map(({ id }) => ({ id, offset: 0x10000 })),
        settings: espSettings,
        guard: null,
        overrides: [],
      };
    },
  };
}

describe('a board behind the host', () => {
  it('has its eFuses read once they are asked for, if it is open', async () => {
    const { ask, connect, lines } = bench();
    const board = await connect('esp32c3');
    expect([board.facts.efuses, board.facts.encrypts]).toEqual([undefined, undefined]);
    expect(await ask(board.perform('read-efuses', quiet))).toBe(true);
    expect(board.facts.efuses?.blocks).toHaveLength(11);
    expect(board.facts.encrypts).toBe(false);
    expect(lines.at(-1)).toBe('Read 11 eFuse blocks by register, no coding errors');
  });

  it('has them read on connecting if it has secure boot, and refuses unsigned firmware by its key', async () => {
    const { add, ask, connect } = bench();
    const unsigned = await add(app?.data ?? new Uint8Array());
    const board = await connect('esp32c3-secured');
    expect(board.facts.encrypts).toBe(true);
    const facts = await ask(board.plan(unsigned, never));
    expect(facts.start).toMatchObject({ result: 'no' });
    expect(facts.refusals.map(({ code }) => code)).toContain('not-signed');
  });

  it('encrypts rightly signed firmware if it is asked to, and says that it was not verified', async () => {
    const { add, ask, connect } = bench();
    const request = await add(signedImage(app?.data ?? new Uint8Array()));
    const board = await connect('esp32c3-secured');
    const plain = await ask(board.plan(request, never));
    expect(plain.refusals.map(({ code }) => code)).toEqual(['flash-encryption']);
    const encrypting = { ...request, settings: { ...espSettings, encrypt: true } };
    const facts = await ask(board.plan(encrypting, never));
    expect([facts.refusals, facts.regions.map(({ same }) => same)]).toEqual([[], [null]]);
    // The table of an encrypted board cannot be read.
    expect(facts.start).toMatchObject({ result: 'unknown', why: expect.stringContaining('which app starts') });
    const report = await ask(board.write(carry));
    expect(report).toMatchObject({ state: 'unverified', regions: [{ outcome: 'unverified', proof: null }] });
    // The plan of the same files is as long as before: nothing of them can be compared.
    expect((await ask(board.plan(encrypting, never))).same).toBe(0);
  });
});
