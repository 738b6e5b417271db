/** The recorded rows (recorded/README.md), and their requests at work on a fake chip. */
import { readFileSync } from 'node:fs';
import { VirtualClock } from '@wirebench/clock';
import type { UsbControlSetup } from '../usb-device.ts';
import { type AdapterName, fakeAdapter, isAdapterName } from './adapters.ts';
import type { UartChip } from './chips/uart-chip.ts';

export const operations = [
  'open',
  'closing',
  'rate',
  'frame',
  'signals',
  'break',
  'flow',
  'purge',
  'latency',
  'status',
  'rx',
] as const;

interface RecordedTransfer extends Partial<Omit<UsbControlSetup, 'requestType'>> {
  readonly dir?: 'in' | 'out';
  readonly type?: UsbControlSetup['requestType'];
  /** Hex digits. */
  readonly data?: string;
}

interface RecordedTruth {
  readonly transfers?: readonly RecordedTransfer[];
  readonly reportsRate?: number;
  readonly refuses?: string;
  readonly signals?: SerialInputSignals;
  readonly received?: string;
}

export interface RecordedRow {
  readonly id: string;
  readonly chip: AdapterName;
  readonly op: (typeof operations)[number];
  readonly args: {
    readonly rate?: number;
    readonly dataBits?: number;
    readonly parity?: string;
    readonly stopBits?: number;
    readonly from?: SerialOutputSignals;
    readonly set?: SerialOutputSignals;
    readonly on?: boolean;
    readonly mode?: string;
    readonly side?: 'write' | 'read';
    readonly interrupt?: string;
    readonly reply?: string;
    readonly packets?: readonly string[];
  };
  readonly truth: Readonly<Record<string, RecordedTruth>>;
}

export function recordedRows(operation: RecordedRow['op']): RecordedRow[] {
  const path = new URL(`recorded/${operation}.jsonl`, import.meta.url);
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const row = JSON.parse(line) as RecordedRow;
      if (!isAdapterName(row.chip)) {
        throw new Error(`${row.id}: there is no fake of ${row.chip}`);
      }
      return row;
    });
}

export const bytesOfHex = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** Sends the recorded requests of one program to a fake chip. */
function applyRecorded(chip: UartChip, { transfers = [] }: RecordedTruth): void {
  for (const { dir, type, recipient, request, value, index, data = '' } of transfers) {
    if (dir === 'out' && type && recipient && request !== undefined && value !== undefined && index !== undefined) {
      chip.out({ requestType: type, recipient, request, value, index }, bytesOfHex(data));
    }
  }
}

/** Returns the chip of a row after the requests of each program, by the program's name. */
export function recordedChips(row: RecordedRow): Readonly<Record<string, UartChip>> {
  return Object.fromEntries(
    Object.entries(row.truth).map(([program, truth]) => {
      const { chip } = fakeAdapter(row.chip, new VirtualClock());
      applyRecorded(chip, truth);
      return [program, chip];
    }),
  );
}
