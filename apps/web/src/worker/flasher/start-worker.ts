/** Starts the worker of a family on a channel, and fetches the family's code. */
import type { FlasherFamily } from '@wirebench/contract/constants';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import { FlasherWorker, type FlasherWorkerParts } from './flasher-worker.ts';

type StartParts = Pick<FlasherWorkerParts<never>, 'clock' | 'devices' | 'toolPorts'>;

const starts = {
  esp: async (channel, parts) => {
    const { espFamily } = await import('./esp/esp-family.ts');
    return new FlasherWorker(channel, { ...parts, family: espFamily(parts) });
  },
  stm: async (channel, parts) => {
    const { stmFamily } = await import('./stm/stm-family.ts');
    return new FlasherWorker(channel, { ...parts, family: stmFamily(parts) });
  },
  nrf: async (channel, parts) => {
    const { nrfFamily } = await import('./nordic/nrf-family.ts');
    return new FlasherWorker(channel, { ...parts, family: nrfFamily(parts) });
  },
  avr: async (channel, parts) => {
    const { avrFamily } = await import('./avr/avr-family.ts');
    return new FlasherWorker(channel, { ...parts, family: avrFamily(parts) });
  },
} satisfies Record<FlasherFamily, (channel: Channel, parts: StartParts) => Promise<unknown>>;

export async function startFlasherWorker(family: FlasherFamily, channel: Channel, parts: StartParts): Promise<void> {
  await starts[family](channel, parts);
}
