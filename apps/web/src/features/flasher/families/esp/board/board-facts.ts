/** Lists the facts of an Espressif board for its card. */
import { deviceName } from '@wirebench/boards/device-name';
import { type EspInfo, type EspLink, type EspSecurityState, unknownFlashMakerText } from '@wirebench/flasher/esp';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import type { ConnectedBoard } from '../../../../../workbench/families.ts';
import type { BoardDescription, BoardFact } from '../../../board/board-description.ts';

const linkText = {
  uart: null,
  'usb-serial-jtag': 'Built-in USB Serial/JTAG',
  'usb-otg': 'Built-in USB',
} satisfies Record<EspLink, string | null>;

export function describeBoard(board: ConnectedBoard): BoardDescription {
  const { name, model } = board;
  const [top = name, bottom = ''] = name.split('-');
  if (board.family !== 'esp') {
    return { subtitle: model, print: [top, bottom], facts: [] };
  }
  const { revision } = board.info;
  const subtitle = `${model}${revision === null ? '' : `, revision v${revision.major}.${revision.minor}`}`;
  return { subtitle, print: [top, bottom], facts: boardFacts(board) };
}

export function boardFacts({ info, baudRate, runsStub, port, demo }: EspFacts): BoardFact[] {
  const { mac, features, crystal, flash, security, link } = info;
  const facts: (BoardFact | null)[] = [
    mac === null ? null : { name: 'MAC', value: mac },
    flash === null ? null : { name: 'Flash', value: flashText(flash) },
    crystal === null ? null : { name: 'Crystal', value: `${crystal} MHz` },
    features.length === 0 ? null : { name: 'Features', value: features.join(', ') },
    { name: 'Connection', value: linkText[link] ?? (demo ? 'Simulated' : deviceName(port)) },
    link === 'uart' ? { name: runsStub ? 'Stub baud' : 'ROM baud', value: String(baudRate) } : null,
    securityFact(security),
  ];
  return facts.filter((fact) => fact !== null);
}

function flashText({ size, manufacturerName, manufacturer }: NonNullable<EspInfo['flash']>): string {
  const maker = manufacturerName ?? unknownFlashMakerText(manufacturer);
  return `${size === null ? 'unknown size' : memoryText(size)}, ${maker}`;
}

function securityFact({ secureBoot, flashEncryption, secureDownload }: EspSecurityState): BoardFact {
  const on = [
    ...(secureDownload ? ['Secure Download Mode'] : []),
    ...(secureBoot ? ['Secure Boot'] : []),
    ...(flashEncryption ? ['flash encryption'] : []),
  ];
  if (on.length > 0) {
    return { name: 'Security', value: on.join(', '), tone: 'warning' };
  }
  return { name: 'Security', value: secureBoot === null && flashEncryption === null ? 'unknown' : 'open' };
}
