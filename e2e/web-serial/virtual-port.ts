/** One virtual serial port: its USB identity, the browser's actions on it, and its bytes. */
import { EventEmitter, once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** Identity by which a browser recognises a port. */
export interface PortIdentity {
  readonly vendorId: number;
  readonly productId: number;
  readonly serialNumber: string;
  readonly product: string;
}

export interface PortOptions extends PortIdentity {
  /** `ttyUSBn` or `ttyACMn`. */
  readonly name: string;
  /** Handling of bytes that the tty does not take at once: the device waits, or they are lost as in a bridge's FIFO. */
  readonly overrun?: 'block' | 'drop';
  /** True: bytes take the time of the baud rate in both directions. */
  readonly paced?: boolean;
}

export interface LineSettings {
  readonly baudRate: number;
  readonly dataBits: number;
  readonly parity: string;
  readonly stopBits: number;
}

interface PortEvents {
  open: [];
  close: [reason: string];
  data: [bytes: Buffer];
  settings: [settings: LineSettings];
  signals: [signals: { readonly dtr: boolean; readonly rts: boolean }];
  break: [on: boolean];
  overrun: [lost: number];
  /** The data connection accepts bytes again after `write` returned false. */
  writable: [];
}

/**
 * Milliseconds. Changes of control lines, and bytes after them, are reported at their original distance up to this
 * interval.
 */
const SEQUENCE_GAP = 150;

type Report = { readonly verb: string; readonly values: ReadonlyMap<string, string> };

export class VirtualPort extends EventEmitter<PortEvents> {
  readonly options: PortOptions;
  readonly dataPath: string;
  readonly server = createServer((socket) => this.#connected(socket));
  readonly #send: (line: string) => void;
  readonly #reports: Report[] = [];
  #socket: Socket | null = null;
  #plugged = false;
  #isOpen = false;
  #isDisposed = false;
  #baudRate = 0;
  // Control and data use different sockets. An 'open' is reported only after its data connection is established, a
  // 'close' only after its last data.
  #connections = 0;
  #connectionsEnded = 0;
  /** Bytes that have arrived before their report, by the number of their data connection. */
  readonly #arrived = new Map<number, Buffer[]>();
  #opens = 0;
  #closes = 0;
  /**
   * Last change of the control lines, in milliseconds: the time in the browser, and the time of its report here. The
   * clocks differ.
   */
  #lines: { readonly made: number; readonly reported: number } | null = null;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor(options: PortOptions, dataPath: string, send: (line: string) => void) {
    super();
    this.options = options;
    this.dataPath = dataPath;
    this.#send = send;
  }

  get plugged(): boolean {
    return this.#plugged;
  }

  get baudRate(): number {
    return this.#baudRate;
  }

  get plugLine(): string {
    const { name, vendorId, productId, serialNumber, product, overrun = 'block', paced = false } = this.options;
    const hex = (id: number) => id.toString(16).padStart(4, '0');
    const text = (value: string) => encodeURIComponent(value);
    const identity = `vid=${hex(vendorId)} pid=${hex(productId)} serial=${text(serialNumber)} product=${text(product)}`;
    return `plug ${name} ${identity} data=${text(this.dataPath)} overrun=${overrun} pace=${paced ? 1 : 0}`;
  }

  plug(): void {
    // A restarting board may try to reappear after its test.
    if (!this.#plugged && !this.#isDisposed) {
      this.#plugged = true;
      this.#send(this.plugLine);
    }
  }

  unplug(): void {
    if (this.#plugged) {
      this.#plugged = false;
      this.#send(`unplug ${this.options.name}`);
    }
  }

  /** Inserts a break or a parity error into the stream, after all bytes written so far. */
  inject(fault: 'break' | 'parity'): void {
    this.#send(`inject ${this.options.name} ${fault}`);
  }

  /**
   * Sends bytes to the browser; they are lost while the port is closed. Returns false if they are queued; continue at
   * 'writable'.
   */
  write(bytes: Uint8Array): boolean {
    return this.#socket?.write(bytes) ?? true;
  }

  /** Queues a report of the browser's side until its turn. */
  report(verb: string, values: ReadonlyMap<string, string>): void {
    this.#reports.push({ verb, values });
    this.#flush();
  }

  browserGone(): void {
    if (this.#isOpen) {
      this.report('close', new Map([['reason', 'browser gone']]));
    }
  }

  /** Resolves when the browser has closed the port. */
  async closed(): Promise<void> {
    if (this.#isOpen) {
      await once(this, 'close');
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#waiting);
    this.#socket?.destroy();
    this.server.close();
  }

  #connected(socket: Socket): void {
    this.#socket = socket;
    const arrived: Buffer[] = [];
    this.#arrived.set(++this.#connections, arrived);
    socket.on('data', (bytes: Buffer) => {
      arrived.push(bytes);
      this.#flush();
    });
    socket.on('drain', () => this.emit('writable'));
    // An unplugged port resets its data connection; the 'close' event follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#connectionsEnded++;
      if (this.#socket === socket) {
        this.#socket = null;
      }
      this.#flush();
    });
    this.#flush();
  }

  #flush(): void {
    for (let report = this.#reports[0]; report !== undefined; report = this.#reports[0]) {
      if (report.verb === 'open' && this.#connections <= this.#opens) {
        return;
      }
      if (report.verb === 'close' && this.#connectionsEnded <= this.#closes) {
        return;
      }
      if (report.verb === 'sent' && this.#awaits(Number(report.values.get('n')))) {
        return;
      }
      const early = this.#early(report);
      if (early > 0) {
        this.#waiting ??= setTimeout(() => {
          this.#waiting = undefined;
          this.#flush();
        }, early);
        return;
      }
      this.#reports.shift();
      this.#tell(report);
    }
  }

  /** Returns true if fewer than `count` bytes of the open connection have arrived, and more may come. */
  #awaits(count: number): boolean {
    const arrived = this.#arrived.get(this.#opens) ?? [];
    return arrived.reduce((sum, { length }) => sum + length, 0) < count && this.#connectionsEnded <= this.#closes;
  }

  /** Takes at most `count` bytes of the open connection. */
  #take(count: number): Buffer {
    const arrived = this.#arrived.get(this.#opens) ?? [];
    const bytes = Buffer.concat(arrived.splice(0));
    if (bytes.length > count) {
      arrived.push(bytes.subarray(count));
    }
    return bytes.subarray(0, count);
  }

  /**
   * Returns the milliseconds by which a report must be delayed. If this process is late, it receives several steps of
   * a reset sequence at once, and the first request after it. A chip whose EN rises slowly would then notice only the
   * last step, and a bootloader would not have begun when the request comes.
   */
  #early({ verb, values }: Report): number {
    if ((verb !== 'modem' && verb !== 'sent') || this.#lines === null) {
      return 0;
    }
    const { made, reported } = this.#lines;
    return reported + Math.min(Number(values.get('t')) - made, SEQUENCE_GAP) - performance.now();
  }

  #tell({ verb, values }: Report): void {
    const number = (key: string) => Number(values.get(key) ?? 0);
    switch (verb) {
      case 'open':
        this.#opens++;
        this.#isOpen = true;
        this.emit('open');
        break;
      case 'sent': {
        const bytes = this.#take(number('n'));
        if (bytes.length > 0) {
          this.emit('data', bytes);
        }
        break;
      }
      case 'close':
        this.#arrived.delete(this.#opens);
        this.#closes++;
        this.#isOpen = false;
        this.emit('close', values.get('reason') ?? '');
        break;
      case 'termios':
        this.#baudRate = number('baud');
        this.emit('settings', {
          baudRate: number('baud'),
          dataBits: number('bits'),
          parity: values.get('parity') ?? 'none',
          stopBits: number('stop'),
        });
        break;
      case 'modem':
        this.#lines = { made: number('t'), reported: performance.now() };
        this.emit('signals', { dtr: number('dtr') === 1, rts: number('rts') === 1 });
        break;
      case 'break':
        this.emit('break', number('on') === 1);
        break;
      case 'overrun':
        this.emit('overrun', number('lost'));
        break;
      default:
        // 'hello', 'flush' and 'drain' do not concern a device.
        break;
    }
  }
}
