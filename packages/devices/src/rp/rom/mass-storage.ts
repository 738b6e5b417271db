/**
 * The drive as USB mass storage: Bulk-Only Transport with the SCSI commands of the ROM. A write that the ROM ignores is
 * answered "good", one that fails is not;
 * mismatches between host and command end as the transport's specification says (USB Mass Storage Class, Bulk-Only
 * Transport 1.0, section 6.7). Facts from the published ROM source.
 */
import { type Endpoint, onePacket, packetSize, Transfer } from './endpoint.ts';
import { Stream } from './stream.ts';
import { driveSectors, sectorBytes } from './virtual-disk.ts';

const commandSignature = 0x4342_5355;
const statusSignature = 0x5342_5355;
const commandSize = 31;
const statusSize = 13;

const scsi = {
  testUnitReady: 0x00,
  requestSense: 0x03,
  inquiry: 0x12,
  modeSense6: 0x1a,
  startStopUnit: 0x1b,
  preventRemoval: 0x1e,
  readFormatCapacities: 0x23,
  readCapacity: 0x25,
  read10: 0x28,
  write10: 0x2a,
  verify: 0x2f,
  synchronizeCache: 0x35,
} as const;

const commandStatus = { passed: 0, failed: 1, phaseError: 2 } as const;
type Direction = 'in' | 'out';

interface CommandBlock {
  readonly length: number;
  readonly direction: Direction;
  readonly bytes: Uint8Array;
}

/** Sense key, additional sense code and its qualifier. */
interface Sense {
  readonly key: number;
  readonly code: number;
  readonly qualifier: number;
}

const noSense: Sense = { key: 0, code: 0, qualifier: 0 };
const mediumNotPresent: Sense = { key: 2, code: 0x3a, qualifier: 0 };
const unknownCommand: Sense = { key: 5, code: 0x20, qualifier: 0 };
/** A write that failed: data protect, access denied. */
const accessDenied: Sense = { key: 7, code: 0x20, qualifier: 2 };

interface StorageContext {
  readonly in: Endpoint;
  readonly out: Endpoint;
  /** Vendor, product and version of INQUIRY: 8, 16 and 4 characters. */
  readonly identity: string;
  read(sector: number): Uint8Array;
  /** Returns true if `sectorDone` follows with `token`. */
  write(token: number, sector: Uint8Array): boolean;
  /** The drive was reset or configured. */
  reset(): void;
}

export class MassStorage {
  readonly #context: StorageContext;
  readonly #buffer = new Uint8Array(sectorBytes);
  #tag = 0;
  #residue = 0;
  #status: number = commandStatus.passed;
  #sense = noSense;
  #isEjected = false;
  #stallBeforeStatus: Direction | null = null;
  #sendsStatusAfterHalt = false;
  #stream: Stream | null = null;
  #token = 0;

  constructor(context: StorageContext) {
    this.#context = context;
    context.out.startDefault = () => new Transfer(1, (endpoint) => this.#onCommand(endpoint), null);
    context.in.onHaltChange = () => {
      if (!context.in.isHalted && this.#sendsStatusAfterHalt) {
        this.#sendStatus();
      }
    };
  }

  get isEjected(): boolean {
    return this.#isEjected;
  }

  eject(): void {
    this.#isEjected = true;
  }

  /** A new configuration, or the class request: the medium is back, and a transfer of UF2 is forgotten. */
  reset(): void {
    this.#tag = 0;
    this.#residue = 0;
    this.#status = commandStatus.passed;
    this.#sense = noSense;
    this.#isEjected = false;
    this.#stallBeforeStatus = null;
    this.#sendsStatusAfterHalt = false;
    this.#context.reset();
    this.#context.in.reset(false);
    this.#context.out.reset(false);
  }

  /** Ends a sector that was written later. A result other than 0 ends the command. */
  sectorDone(token: number, result: number): void {
    if (token !== this.#token) {
      return;
    }
    if (result !== 0) {
      this.#status = commandStatus.failed;
      this.#sense = accessDenied;
      this.#stallBeforeStatus = 'out';
      this.#endData();
    }
    this.#stream?.chunkDone();
  }

  #onCommand(endpoint: Endpoint): void {
    const { packet } = endpoint;
    const view = new DataView(packet.buffer, packet.byteOffset, packet.length);
    const isValid =
      packet.length === commandSize &&
      view.getUint32(0, true) === commandSignature &&
      packet[13] === 0 &&
      ((packet[12] ?? 0) & 0x7f) === 0 &&
      (packet[14] ?? 0) > 0 &&
      (packet[14] ?? 0) <= 16;
    if (isValid) {
      const length = view.getUint32(8, true);
      this.#tag = view.getUint32(4, true);
      this.#residue = length;
      this.#status = commandStatus.passed;
      const direction = ((packet[12] ?? 0) & 0x80) === 0 ? 'out' : 'in';
      this.#execute({ length, direction, bytes: packet.slice(15) });
    } else {
      this.#context.in.halt('on-condition');
      this.#context.out.halt('on-condition');
    }
    endpoint.packetDone();
  }

  #execute(command: CommandBlock): void {
    const [code] = command.bytes;
    const sense = this.#sense;
    if (code !== scsi.requestSense) {
      this.#sense = noSense;
    }
    switch (code) {
      case scsi.inquiry:
        this.#answer(command, inquiry(this.#context.identity));
        break;
      case scsi.modeSense6:
        this.#answer(command, Uint8Array.of(3, 0, 0, 0));
        break;
      case scsi.readCapacity:
        this.#answer(command, bigEndian(driveSectors - 1, sectorBytes));
        break;
      case scsi.readFormatCapacities:
        // The list's length is 0, as the ROM has it; the descriptor says "formatted".
        this.#answer(command, bigEndian(0, driveSectors - 1, 0x0200_0000 | sectorBytes));
        break;
      case scsi.requestSense:
        this.#sense = noSense;
        this.#answer(command, senseData(sense));
        break;
      case scsi.read10:
      case scsi.write10:
        this.#startSectors(command, code === scsi.read10 ? 'in' : 'out');
        break;
      case scsi.testUnitReady:
        this.#end(command, this.#isEjected ? mediumNotPresent : null);
        break;
      case scsi.startStopUnit:
        this.#isEjected ||= ((command.bytes[4] ?? 0) & 3) === 2;
        this.#end(command, null);
        break;
      case scsi.preventRemoval:
      case scsi.synchronizeCache:
      case scsi.verify:
        this.#end(command, null);
        break;
      default:
        this.#end(command, unknownCommand);
    }
  }

  /** Ends a command without data. A host that expects data is stalled. */
  #end({ length, direction }: CommandBlock, failure: Sense | null): void {
    if (failure !== null) {
      this.#status = commandStatus.failed;
      this.#sense = failure;
    }
    this.#stallBeforeStatus = length > 0 ? direction : null;
    this.#endData();
  }

  #answer(command: CommandBlock, data: Uint8Array): void {
    const length = this.#beginData(command, Math.min(data.length, command.length), 'in');
    if (length > 0) {
      this.#residue -= length;
      this.#context.in.packet = data.slice(0, length);
      this.#context.in.start(onePacket(() => this.#endData()));
    }
  }

  /** @returns The bytes of the data phase; 0 if there is none, and the command has ended. */
  #beginData({ length, direction }: CommandBlock, expected: number, wanted: Direction): number {
    this.#stallBeforeStatus = null;
    let bytes = 0;
    if (direction !== wanted) {
      this.#stallBeforeStatus = direction;
      this.#status = commandStatus.phaseError;
    } else {
      this.#stallBeforeStatus = expected === length ? null : wanted;
      this.#status = expected > length ? commandStatus.phaseError : this.#status;
      bytes = Math.min(expected, length);
    }
    if (bytes === 0) {
      this.#endData();
    }
    return bytes;
  }

  #startSectors(command: CommandBlock, direction: Direction): void {
    const view = new DataView(command.bytes.buffer);
    let sector = view.getUint32(2);
    const blocks = view.getUint16(7);
    const length = this.#beginData(command, blocks * sectorBytes, direction);
    if (length === 0) {
      return;
    }
    if (length < packetSize) {
      this.#endData();
      return;
    }
    const { in: into, out, read, write } = this.#context;
    this.#token++;
    this.#stream = new Stream(direction === 'in' ? into : out, {
      chunk: this.#buffer,
      length: length - (length % packetSize),
      onChunk: () => {
        this.#token++;
        const at = sector;
        sector = (sector + 1) >>> 0;
        if (direction === 'in') {
          this.#buffer.set(read(at));
          return false;
        }
        return write(this.#token, this.#buffer);
      },
      onPacketDone: () => {
        this.#residue -= packetSize;
      },
      onDone: () => this.#endData(),
    });
    if (direction === 'in') {
      into.start(this.#stream.transfer);
    } else {
      out.chain(this.#stream.transfer);
    }
  }

  #endData(): void {
    const stall = this.#stallBeforeStatus;
    this.#stallBeforeStatus = null;
    if (stall === 'in') {
      this.#sendsStatusAfterHalt = true;
      this.#context.in.halt();
      return;
    }
    if (stall === 'out') {
      this.#context.out.halt();
    }
    this.#sendStatus();
  }

  #sendStatus(): void {
    const { in: into, out } = this.#context;
    this.#sendsStatusAfterHalt = false;
    const bytes = new Uint8Array(statusSize);
    const view = new DataView(bytes.buffer);
    view.setUint32(0, statusSignature, true);
    view.setUint32(4, this.#tag, true);
    view.setUint32(8, this.#residue, true);
    view.setUint8(12, this.#status);
    into.packet = bytes;
    into.start(onePacket(() => out.startDefaultIfIdle()));
  }
}

function bigEndian(...words: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(words.length * 4));
  for (const [index, word] of words.entries()) {
    view.setUint32(index * 4, word);
  }
  return new Uint8Array(view.buffer);
}

/** A removable disk of SPC. */
function inquiry(identity: string): Uint8Array {
  const bytes = new Uint8Array(36);
  bytes.set([0, 0x80, 2, 2, 32]);
  bytes.set(new TextEncoder().encode(identity), 8);
  return bytes;
}

function senseData({ key, code, qualifier }: Sense): Uint8Array {
  const bytes = new Uint8Array(18);
  bytes[0] = 0x70;
  bytes[2] = key;
  bytes[7] = 10;
  bytes[12] = code;
  bytes[13] = qualifier;
  return bytes;
}
