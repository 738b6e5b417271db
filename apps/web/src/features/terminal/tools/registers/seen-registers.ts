/** The registers that were seen on a port, read again and again while they are shown. */
import type { PortNumber } from '@wirebench/serial';
import type { SeenRegisters } from '../../../../protocol/bench/frame-part.ts';
import { getBench } from '../../../../workbench/bench.ts';
import { useBenchStatus } from '../../../../workbench/bench-status.ts';
import { useFigures } from '../statistics/use-figures.ts';

interface Seen extends SeenRegisters {
  /** Time at which the port was connected; null: it is not. */
  readonly connectedAt: number | null;
}

const nothing: Seen = { registers: [], names: [], other: null, omitted: 0, connectedAt: null };

/** Values that were seen since the port was connected stay, also after another decoder was chosen for it. */
export function useSeenRegisters(port: PortNumber): SeenRegisters {
  const connectedAt = useBenchStatus(({ status }) => status.ports[port].connectedAt);
  return useFigures<Seen>(`${port} ${connectedAt}`, nothing, async (before) => {
    const seen = (await getBench().call('seenRegisters', port)) ?? nothing;
    return withEarlier({ ...seen, connectedAt }, before);
  });
}

function withEarlier(seen: Seen, before: Seen): Seen {
  // A port that was closed keeps its rows. Another connection may be another device.
  if (before.connectedAt !== seen.connectedAt && seen.connectedAt !== null) {
    return seen;
  }
  const keyOf = ({ unit, table, address }: Seen['registers'][number]) => `${unit} ${table} ${address}`;
  const registers = new Map(before.registers.map((one) => [keyOf(one), one]));
  for (const register of seen.registers) {
    registers.set(keyOf(register), register);
  }
  return {
    ...seen,
    registers: [...registers.values()],
    names: [...new Map([...before.names, ...seen.names])],
    connectedAt: seen.connectedAt ?? before.connectedAt,
  };
}
