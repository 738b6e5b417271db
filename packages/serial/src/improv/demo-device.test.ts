/** The client through an open port of a bench, with the simulated board of the demo on the other side. */
import { createEspPort, EspDevice, type EspDeviceOptions } from '@wirebench/devices';
import { defaultPortSettings } from '@wirebench/port';
import { describe, expect, it } from 'vitest';
import type { PortHold } from '../port-session.ts';
import { received, type TestRig, testRig } from '../testing/test-rig.ts';
import { ImprovClient } from './improv-client.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const home = { name: utf8('Workbench'), password: utf8('solder-and-flux') };
const wrong = { ...home, password: utf8('solder-and-glue') };
const address = 'http://192.0.2.23/';

type Faults = NonNullable<Exclude<EspDeviceOptions['improv'], 'none'>>['faults'];

interface Connected extends TestRig {
  readonly client: ImprovClient;
  ended<Value>(work: Promise<Value>): Promise<Value>;
}

async function connected(faults: Faults = []): Promise<Connected> {
  const test = testRig();
  const { bench, clock } = test;
  const device = new EspDevice({ chip: 'esp32', powerUp: 'first-open', improv: { faults: [...(faults ?? [])] } });
  const { port } = createEspPort(device, { clock });
  if (port === null) {
    throw new Error('The board is unplugged.');
  }
  const ended = async <Value>(work: Promise<Value>): Promise<Value> => {
    let isOver = false;
    const settled = work.finally(() => {
      isOver = true;
    });
    settled.catch(() => undefined);
    for (let times = 0; times < 20_000 && !isOver; times++) {
      await clock.advance(50);
    }
    return settled;
  };
  await ended(bench.connect(1, port, defaultPortSettings));
  await clock.advance(3_000);
  let cancelPause: () => void = () => undefined;
  const hold: PortHold = bench.jobs.holdForTransfer(
    1,
    (bytes) => {
      cancelPause();
      hold.pass(client.received(bytes));
      cancelPause = client.isWaiting ? clock.schedule(300, () => hold.pass(client.rest())) : () => undefined;
    },
    'improv',
  );
  const client = new ImprovClient({
    clock,
    send: (bytes) => hold.send(bytes),
    signal: new AbortController().signal,
  });
  return { ...test, client, ended };
}

/** Everything that a person does: information, networks, a wrong password, the right one, the wrong one again. */
async function session({ client, ended }: Connected) {
  const { name } = await ended(client.deviceInformation());
  const { networks } = await ended(client.networks());
  const attempt = (settings: typeof home) => ended(client.connect(settings)).catch(({ code }) => code as string);
  return {
    name,
    networks: networks.length,
    outcomes: [await attempt(wrong), await attempt(home), await attempt(wrong)],
  };
}

describe('the demo board', () => {
  it('is read and set up by the client, and its log stays text', async () => {
    const test = await connected();
    expect(await session(test)).toEqual({
      name: 'Wirebench demo',
      networks: 3,
      outcomes: ['unable-to-connect', address, 'unable-to-connect'],
    });
    expect(received(test.bench).join('\n')).not.toContain('IMPROV');
    await test.ended(test.bench.dispose());
  });

  it.each(['drop', 'bad-checksum', 'split', 'text-before', 'text-joined', 'text-inside'] as const)(
    'is set up while any packet of it has the fault %s',
    async (kind) => {
      for (let nth = 1; nth <= 14; nth++) {
        const test = await connected([{ to: 'host', nth, kind }]);
        const { name, networks, outcomes } = await session(test);
        expect([nth, name, ...outcomes]).toEqual([
          nth,
          'Wirebench demo',
          'unable-to-connect',
          address,
          'unable-to-connect',
        ]);
        expect(networks).toBeGreaterThanOrEqual(2);
        await test.ended(test.bench.dispose());
      }
    },
  );

  it('is set up while any packet to it is lost', async () => {
    for (let nth = 1; nth <= 6; nth++) {
      const test = await connected([{ to: 'board', nth, kind: 'drop' }]);
      expect((await session(test)).outcomes).toEqual(['unable-to-connect', address, 'unable-to-connect']);
      await test.ended(test.bench.dispose());
    }
  });
});
