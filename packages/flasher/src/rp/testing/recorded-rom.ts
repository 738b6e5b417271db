/**
 * A `USBDevice` that plays one recorded session with the boot ROM of an RP2040: each transfer has the outcome that the ROM gave
 * to the same bytes. A request that the session does not have, or in another order, is an error of the test.
 */
import { readFileSync } from 'node:fs';
import type { BulkUsbDevice, UsbConfiguration, UsbInResult, UsbOutResult } from '../../usb-device.ts';
import type { PicobootCommand } from '../picoboot/commands.ts';

interface Step {
  readonly op: string;
  readonly ep?: number;
  readonly name?: string;
  /** Hexadecimal. Longer transfers have `length` only. */
  readonly data?: string;
  readonly length?: number;
  readonly setup?: string;
  readonly reply?: string;
  readonly result?: 'ok' | 'stall' | 'nak' | 'no-answer';
}

export interface RecordedSession {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly steps: readonly Step[];
}

/** Kinds with PICOBOOT transfers. */
const kinds = ['busy', 'erase', 'exclusive', 'read-flash', 'read-ram', 'read-rom', 'reboot'] as const;
const furtherKinds = ['whole', 'write-flash', 'wrong-form', 'xip', 'exec'] as const;

const folder = new URL('../../../../devices/src/rp/testing/rp2040-sessions/', import.meta.url);

export function recordedSessions(): RecordedSession[] {
  return [...kinds, ...furtherKinds].flatMap(
    (kind) =>
      (JSON.parse(readFileSync(new URL(`${kind}.json.txt`, folder), 'utf8')) as { sessions: RecordedSession[] })
        .sessions,
  );
}

/** A command of a session with what the ROM did. */
export interface RecordedCommand {
  readonly command: PicobootCommand;
  readonly token: number;
  readonly steps: readonly Step[];
}

const OUT = 3;
const IN = 0x84;
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/**
 * Returns the commands at the beginning of a session, up to the first step that this client never takes: other forms of a
 * command, data in pieces, a READ of nothing.
 */
export function commandsOf({ steps }: RecordedSession): RecordedCommand[] {
  const commands: { command: PicobootCommand; token: number; steps: Step[] }[] = [];
  for (const step of steps) {
    const last = commands.at(-1);
    const own = step.op === 'out' && step.ep === OUT && step.data?.length === 64 ? commandOf(step) : null;
    if (own !== null) {
      commands.push({ ...own, steps: [step] });
    } else if (last !== undefined && belongsTo(last, step)) {
      last.steps.push(step);
    } else {
      break;
    }
  }
  return commands;
}

function commandOf({ data = '', name = '' }: Step): { command: PicobootCommand; token: number } | null {
  const view = new DataView(bytesOf(data).buffer);
  const id = view.getUint8(8);
  const isRead = (id & 0x80) !== 0;
  const length = view.getUint32(12, true);
  if (!data.startsWith('0bd11f43') || view.getUint16(10, true) !== 0 || (isRead && length === 0)) {
    return null;
  }
  const args = bytesOf(data).slice(16, 16 + Math.min(16, view.getUint8(9)));
  const sends = !isRead && length > 0;
  return {
    token: view.getUint32(4, true),
    command: {
      id,
      args,
      ...(sends && { data: new Uint8Array(length) }),
      length: isRead ? length : 0,
      what: name,
    },
  };
}

/** Returns true for a transfer that the command still has to make, and for a request for its status. */
function belongsTo({ command, steps }: RecordedCommand, step: Step): boolean {
  if (step.op === 'control') {
    return step.setup?.startsWith('c142') === true;
  }
  const made = (op: 'in' | 'out') => steps.filter((one) => one.op === op).length;
  const sent = step.length ?? (step.data?.length ?? 0) / 2;
  if (step.op === 'out' && step.ep === OUT) {
    const wanted = made('out') === 1 ? (command.data?.length ?? (command.length > 0 ? 0 : null)) : null;
    return wanted === sent;
  }
  return step.op === 'in' && step.ep === IN && made('in') === 0;
}

const configuration: UsbConfiguration = {
  configurationValue: 1,
  interfaces: [
    {
      interfaceNumber: 0,
      alternates: [
        {
          alternateSetting: 0,
          interfaceClass: 8,
          interfaceSubclass: 6,
          interfaceProtocol: 0x50,
          endpoints: [
            { endpointNumber: 1, direction: 'in', type: 'bulk' },
            { endpointNumber: 2, direction: 'out', type: 'bulk' },
          ],
        },
      ],
    },
    {
      interfaceNumber: 1,
      alternates: [
        {
          alternateSetting: 0,
          interfaceClass: 0xff,
          interfaceSubclass: 0,
          interfaceProtocol: 0,
          endpoints: [
            { endpointNumber: OUT, direction: 'out', type: 'bulk' },
            { endpointNumber: IN & 0x7f, direction: 'in', type: 'bulk' },
          ],
        },
      ],
    },
  ],
};

/** Never settles, as a transfer to a device that answers NAK. */
const never = <Result>(): Promise<Result> => new Promise(() => undefined);

const done = () => Promise.resolve();

export class RecordedRom implements BulkUsbDevice {
  readonly vendorId = 0x2e8a;
  readonly productId = 0x0003;
  readonly deviceVersionMajor = 1;
  readonly deviceVersionMinor = 0;
  readonly deviceVersionSubminor = 0;
  readonly configuration = configuration;
  readonly configurations = [configuration];
  readonly opened = true;
  /** Requests that the session does not have. */
  readonly unknown: string[] = [];
  /** Control requests in the order in which they came: `c142`, `4141`. */
  readonly control: string[] = [];
  readonly #out: Step[];
  readonly #in: Step[];
  readonly #status: string[];

  constructor(commands: readonly RecordedCommand[]) {
    const steps = commands.flatMap((one) => one.steps);
    this.#out = steps.filter(({ op }) => op === 'out');
    this.#in = steps.filter(({ op }) => op === 'in');
    this.#status = steps.flatMap(({ op, reply }) => (op === 'control' && reply !== undefined ? [reply] : []));
  }

  async transferOut(endpoint: number, data: BufferSource): Promise<UsbOutResult> {
    const bytes = new Uint8Array(data as Uint8Array<ArrayBuffer>);
    const step = this.#out.shift();
    const wanted = step?.data === undefined ? (step?.length ?? -1) : step.data.length / 2;
    const isSame =
      wanted === bytes.length && (bytes.length !== 32 || Buffer.from(bytes).toString('hex') === step?.data);
    if (endpoint !== OUT || step === undefined || !isSame) {
      this.unknown.push(`${step?.name ?? 'end of the session'}: ${Buffer.from(bytes.subarray(0, 32)).toString('hex')}`);
    }
    return step?.result === 'ok'
      ? { bytesWritten: bytes.length, status: 'ok' }
      : step?.result === 'stall'
        ? { bytesWritten: 0, status: 'stall' }
        : never();
  }

  async transferIn(endpoint: number, length: number): Promise<UsbInResult> {
    const step = this.#in.shift();
    if (endpoint !== (IN & 0x7f)) {
      this.unknown.push(`endpoint ${endpoint}`);
    }
    const size = step?.length ?? (step?.data?.length ?? 0) / 2;
    return step?.result === 'ok'
      ? { data: new DataView(new ArrayBuffer(Math.min(length, size))), status: 'ok' }
      : step?.result === 'stall'
        ? { status: 'stall' }
        : never();
  }

  async controlTransferIn(): Promise<UsbInResult> {
    this.control.push('c142');
    const reply = this.#status.at(-1);
    return reply === undefined ? { status: 'stall' } : { data: new DataView(bytesOf(reply).buffer), status: 'ok' };
  }

  async controlTransferOut(): Promise<UsbOutResult> {
    this.control.push('4141');
    return { bytesWritten: 0, status: 'ok' };
  }

  readonly clearHalt = done;
  readonly open = done;
  readonly close = done;
  readonly selectConfiguration = done;
  readonly claimInterface = done;
  readonly selectAlternateInterface = done;
}
