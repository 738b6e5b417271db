/** The host of a family, at a line: the family's code is fetched here, one entry for each. */
import type { Channel } from '../../calls/call-protocol.ts';
import type { FamilyName } from '../flash-protocol.ts';
import { FlasherHost, type FlasherHostParts } from './flasher-host.ts';

type HostParts = Pick<FlasherHostParts<never>, 'clock' | 'devices'>;

const starts: Partial<Record<FamilyName, (channel: Channel, parts: HostParts) => Promise<unknown>>> = {
  esp: async (channel, parts) => {
    const { espFamily } = await import('./esp/esp-family.ts');
    return new FlasherHost(channel, { ...parts, family: espFamily(parts) });
  },
  stm: async (channel, parts) => {
    const { stmFamily } = await import('./stm/stm-family.ts');
    return new FlasherHost(channel, { ...parts, family: stmFamily(parts) });
  },
  nrf: async (channel, parts) => {
    const { nrfFamily } = await import('./nrf/nrf-family.ts');
    return new FlasherHost(channel, { ...parts, family: nrfFamily(parts) });
  },
};

/** Throws for a family that has no page yet. */
export async function startHost(family: FamilyName, channel: Channel, parts: HostParts): Promise<void> {
  const start = starts[family];
  if (start === undefined) {
    throw new Error(`There is no flasher for ${family}.`);
  }
  await start(channel, parts);
}
