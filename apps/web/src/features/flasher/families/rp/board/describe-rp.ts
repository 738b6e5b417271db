/** Lists the facts of an RP2040 or RP2350 for its card. */
import type { RpInfo } from '@wirebench/flasher/rp';
import type { RpFacts } from '../../../../../protocol/rp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import type { ConnectedBoard } from '../../../../../workbench/families.ts';
import type { BoardDescription, BoardFact } from '../../../board/board-description.ts';

export function describeRp(board: ConnectedBoard): BoardDescription {
  if (board.family !== 'rp') {
    return { subtitle: board.model, print: [board.name, ''], facts: [] };
  }
  const { chip, revision } = board.info;
  const subtitle = revision === null ? null : `${chip} ${revision}`;
  return { subtitle, print: ['RP', chip.slice(2)], facts: rpFacts(board) };
}

const cpuText = { arm: 'Arm', riscv: 'RISC-V' } satisfies Record<NonNullable<RpInfo['cpu']>, string>;

function rpFacts({ info, demo }: RpFacts): BoardFact[] {
  const { link, chip, romVersion, flashSize, uniqueId, cpu, secureBoot, users } = info;
  const isTold = link === 'usb';
  const facts: (BoardFact | null)[] = [
    isTold ? { name: 'Flash', value: flashSize === null ? 'empty, size unknown' : memoryText(flashSize) } : null,
    ...users.map(({ name, size }) => ({ name: 'In flash', value: `${name}, ${memoryText(size)}` })),
    uniqueId === null ? null : { name: 'Unique ID', value: uniqueId },
    cpu === null || chip === 'RP2040' ? null : { name: 'Processor', value: cpuText[cpu] },
    secureBoot === null ? null : secureFact(secureBoot),
    romVersion === null ? null : { name: 'Boot ROM', value: `version ${romVersion}` },
    { name: 'Connection', value: demo ? 'Simulated' : isTold ? 'USB, PICOBOOT' : 'Its drive' },
  ];
  return facts.filter((fact) => fact !== null);
}

const secureFact = (isSecure: boolean): BoardFact => ({
  name: 'Secure boot',
  value: isSecure ? 'enabled' : 'off',
  ...(isSecure && { tone: 'warning' as const }),
});
