/** The contract of every `SerialPort`, on ports of the network: two servers of RFC 2217, and one of plain bytes. */
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@wirebench/clock';
import { SimulatedSerial } from '@wirebench/devices';
import { defaultPortSettings } from '@wirebench/port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveOverRfc2217 } from '../../../devices/src/serve/rfc2217-server.ts';
import { serveOverTcp } from '../../../devices/src/serve/tcp-server.ts';
import type { ContractRig } from '../../../devices/src/testing/contract-rig.ts';
import { FollowingDevice } from '../../../devices/src/testing/port-fixture.ts';
import { serialPortContract } from '../../../devices/src/testing/serial-port-contract.ts';
import { serveComPort } from '../serve/serve-com-port.ts';
import { NetworkSerial } from './network-serial.ts';

interface Served {
  readonly port: number;
  close(): Promise<void>;
}

/** Returns a rig for the device of a server. */
async function rigOf(
  scheme: string,
  device: FollowingDevice,
  serve: (port: number) => Promise<Served>,
  parts: Pick<ContractRig, 'lineErrors' | 'inject'>,
): Promise<ContractRig> {
  let service = await serve(0);
  const { port } = service;
  onTestFinished(() => service.close());
  const name = `${scheme}://127.0.0.1:${port}`;
  const serial = new NetworkSerial(systemClock, [name]);
  const [networkPort] = await serial.getPorts();
  if (networkPort === undefined) {
    throw new Error('the port is there');
  }
  // A port that is not connected does not notice that its server goes.
  await networkPort.reach();
  return {
    port: networkPort,
    serial,
    deviceSends: (bytes) => device.line?.write(bytes),
    deviceGot: () => Uint8Array.from(device.got),
    lines: () => device.lines.at(-1) ?? { dtr: false, rts: false },
    unplug: () => void service.close(),
    replug: () => {
      void serve(port).then((again) => {
        service = again;
      });
    },
    ...parts,
    elapse: async (milliseconds) => {
      await pause(milliseconds);
      await serial.refresh();
    },
  };
}

const noErrors = { lineErrors: [], inject: () => undefined };

const rigs = {
  'a port behind the server of simulated devices': () => {
    const device = new FollowingDevice();
    const serve = (port: number) => serveOverRfc2217({ device, clock: systemClock, pace: 'none', port });
    return rigOf('rfc2217', device, serve, noErrors);
  },
  'a port behind our own server': () => {
    const device = new FollowingDevice();
    const bridge = new SimulatedSerial().plugIn({ device, clock: systemClock, pace: 'none' });
    const serve = async (port: number) => {
      bridge.replug();
      const service = await serveComPort({
        clock: systemClock,
        port,
        served: () => ({ device: bridge.port as SerialPort, settings: defaultPortSettings }),
        onClient: () => undefined,
      });
      return {
        port: service.port,
        close: async () => {
          bridge.unplug();
          await service.close();
        },
      };
    };
    return rigOf('rfc2217', device, serve, {
      lineErrors: ['break', 'framing', 'parity', 'overrun'],
      inject: (error) => bridge.inject(error),
    });
  },
  'a port of plain bytes': () => {
    const device = new FollowingDevice();
    const serve = (port: number) => serveOverTcp({ device, clock: systemClock, pace: 'none', port });
    return rigOf('tcp', device, serve, noErrors);
  },
} satisfies Record<string, () => Promise<ContractRig>>;

/** Plain bytes carry no modem lines. */
const casesOfLines = ['raises DTR and RTS at open, sets them as asked, and lowers them at close'];

describe.each(Object.entries(rigs))('%s', (name, makeRig) => {
  const isPlain = name.includes('plain');
  const cases = serialPortContract.filter((one) => !isPlain || !casesOfLines.includes(one.name));
  it.each(cases.map((contractCase) => [contractCase.name, contractCase] as const))(
    '%s',
    { timeout: 30_000 },
    async (_sentence, contractCase) => contractCase.run(await makeRig()),
  );

  it('leaves out no case but those of the modem lines of plain bytes', () => {
    expect(serialPortContract.length - cases.length).toBe(isPlain ? 1 : 0);
  });
});
