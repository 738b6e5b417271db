/** Lines of the log about a file transfer: one when it begins, one when it has ended. */
import { count, counted } from '@wirebench/port/numbers';
import type { NoticeLevel } from '../timeline-rows.ts';
import type { TransferOutcome } from './transfer-end.ts';
import { type FileReport, protocolNames, type TransferProtocol, type TransferReport } from './transfer-types.ts';

interface Notice {
  readonly level: NoticeLevel;
  readonly text: string;
}

export interface Transfer {
  readonly direction: 'send' | 'receive';
  readonly protocol: TransferProtocol;
  /** Name of the port. */
  readonly port: string;
  /** Names of the files that are sent; empty while receiving. */
  readonly names: readonly string[];
}

/** Reason and remedy for each way to fail. `{port}` is the port's name. */
const reasons = {
  cancelled: 'it was stopped here.',
  'peer-cancelled': 'the board stopped it.',
  'no-answer':
    'the board does not answer. Start the transfer on the board, such as with loady or rz, and choose the protocol that ' +
    'it uses.',
  'too-many-errors': 'too many blocks arrived damaged. Check the cable, or use a lower baud rate.',
  'out-of-step': 'a block was lost for good. Start it again on both sides.',
  'no-batch-end':
    'the board did not say that it was the last file. If one is missing, start the transfer again on both sides.',
  'peer-left': 'the board prints text instead of the rest. Start it again on both sides.',
  'still-asking': 'it was stopped here, but the board goes on asking. Stop it there, too, such as with Ctrl+C.',
  closed: '{port} was closed.',
  unreadable: 'the file can no longer be read. Was it changed or moved? Choose it again.',
  unstorable: 'the browser could not store the file. Free some disk space, then try again.',
  'too-large': 'the file is too large: 1 GiB can be received, and 4 GiB sent by ZMODEM.',
  refused: 'the board asked to run a command on this computer, which is always refused.',
} as const satisfies Record<Exclude<TransferOutcome, 'complete'>, string>;

const levels: Partial<Record<TransferOutcome, NoticeLevel>> = {
  cancelled: 'info',
  'peer-cancelled': 'warning',
  'no-batch-end': 'warning',
  'still-asking': 'warning',
};

export function startNotice(transfer: Transfer): Notice {
  const { direction, protocol, port } = transfer;
  const by = `by ${protocolNames[protocol]}. The log goes on after it.`;
  return {
    level: 'info',
    text: direction === 'send' ? `Sending ${what(transfer)} to ${port} ${by}` : `Receiving from ${port} ${by}`,
  };
}

export function endNotice(transfer: Transfer, { outcome, files, repeats, duration }: TransferReport): Notice {
  const { direction, protocol, port } = transfer;
  const by = `by ${protocolNames[protocol]}`;
  const done = files.filter(({ state }) => state === 'complete');
  const skipped = files.filter(({ state }) => state === 'skipped').map(({ name }) => name);
  const bytes = done.reduce((sum, file) => sum + file.bytes, 0);
  const again = repeats === 0 ? '' : `, ${counted(repeats, 'block')} repeated`;
  if (outcome === 'complete') {
    const resumed = done.some(({ from }) => from > 0) ? ', the first part was there already' : '';
    const amount = `${count(bytes)} bytes in ${(duration / 1_000).toFixed(1)} s${again}${resumed}`;
    const refused = skipped.length === 0 ? '' : `. The board skipped ${skipped.join(', ')}`;
    const others = done.flatMap(({ name, bytes, announced, isNameCut }) => [
      ...(announced === undefined
        ? []
        : [`. ${name} has ${count(bytes)} bytes, and the board had announced ${count(announced)}: check it`]),
      ...(isNameCut === true ? [`. The name ${name} is cut: the board's name is longer`] : []),
    ]);
    const text =
      direction === 'send'
        ? `Sent ${filesText(done)} to ${port} ${by}: ${amount}${refused}`
        : `Received ${filesText(done)} from ${port} ${by}: ${amount}${others.join('')}`;
    return { level: skipped.length + others.length === 0 ? 'success' : 'warning', text };
  }
  const part = files.find(({ state }) => state === 'partial');
  const partly = part === undefined ? [] : [`${count(part.bytes)} bytes of ${part.name}`];
  // Whole files are kept, however the transfer ends.
  const wholly = done.length === 0 ? [] : [filesText(done)];
  const got = [...wholly, ...partly];
  const so = got.length === 0 ? '' : ` after ${got.join(' and ')}`;
  const resume =
    direction === 'receive' && protocol === 'zmodem' && part !== undefined && part.bytes > 0
      ? ' Receive it again to continue.'
      : '';
  const subject = direction === 'send' ? `Sending ${what(transfer)} to` : 'Receiving from';
  const reason = reasons[outcome].replace('{port}', () => port);
  return {
    level: levels[outcome] ?? 'error',
    text: `${subject} ${port} ${by} ended${so}${again}: ${reason}${resume}`,
  };
}

function filesText(files: readonly FileReport[]): string {
  return files.length === 1 ? (files[0]?.name ?? '') : counted(files.length, 'file');
}

function what({ names }: Transfer): string {
  const [first = ''] = names;
  return names.length === 1 ? first : counted(names.length, 'file');
}
