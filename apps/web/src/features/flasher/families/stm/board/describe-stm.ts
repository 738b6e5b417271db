/** Lists the facts of an STM32 for its card. */
import { deviceName } from '@wirebench/boards/device-name';
import type { StmInfo } from '@wirebench/flasher/stm';
import type { StmFacts } from '../../../../../protocol/stm-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { hexNumber } from '../../../../../shared/format/hex.ts';
import type { ConnectedBoard } from '../../../../../workbench/families.ts';
import type { BoardDescription, BoardFact } from '../../../board/board-description.ts';

export function describeStm(board: ConnectedBoard): BoardDescription {
  if (board.family !== 'stm') {
    return { subtitle: board.model, print: [board.name, ''], facts: [] };
  }
  const { productId, family } = board.info;
  const subtitle = productId === null ? null : `Product ID ${hexNumber(productId, 3)}`;
  return { subtitle, print: ['STM32', family ?? ''], facts: stmFacts(board) };
}

const protectionText = {
  none: 'none',
  'read-protected': 'read-protected',
  unknown: 'unknown',
} satisfies Record<StmInfo['protection'], string>;

function stmFacts({ info, baudRate, port, demo, areas }: StmFacts): BoardFact[] {
  const { flashSize, bootloaderVersion, protection, uniqueId, link } = info;
  const facts: (BoardFact | null)[] = [
    flashSize === null ? null : { name: 'Flash', value: memoryText(flashSize) },
    areas.length === 0
      ? null
      : { name: 'Sectors', value: areas.map(({ name }) => name.replaceAll(' ', '\u00a0')).join(', ') },
    { name: 'Bootloader', value: bootloaderVersion },
    uniqueId === null ? null : { name: 'Unique ID', value: uniqueId },
    {
      name: 'Protection',
      value: protectionText[protection],
      ...(protection === 'read-protected' ? { tone: 'warning' as const } : {}),
    },
    { name: 'Connection', value: demo ? 'Simulated' : link === 'usb' ? 'USB bootloader' : deviceName(port) },
    baudRate === null ? null : { name: 'Baud', value: String(baudRate) },
  ];
  return facts.filter((fact) => fact !== null);
}
