/**
 * An Espressif chip on a board: power, reset and straps, the ROM's start, its loader or the stub, and the application
 * in flash. The loaders' answers are in loader/, the output of a start in boot/, the facts of each chip in chips/.
 */
import { Breadboard } from '../breadboard/breadboard.ts';
import type { ProgramFault } from '../cpu/ram-program.ts';
import type { FlashView } from '../flash/flash-view.ts';
import { createRandom, type Random } from '../random.ts';
import type { ControlLines, Device, DeviceLine } from '../wire/device.ts';
import type { Link, UartSettings } from '../wire/link.ts';
import { FaultInjector } from '../wire/step-faults.ts';
import { TimerGroup } from '../wire/timer-group.ts';
import { type BootEnd, romReady, romStart } from './boot/boot-script.ts';
import { panicText } from './boot/panic.ts';
import { StartTexts } from './boot/start-texts.ts';
import type { ResetReason } from './chips/chip.ts';
import { type ResetLines, resetLinesOf, usbIdsOf } from './connection.ts';
import { DemoProgram } from './demo-program.ts';
import { scramble } from './encryption.ts';
import type { EspFault } from './faults.ts';
import { initialContent } from './firmware/initial-content.ts';
import { completed, type EspIdentity, macText } from './identity.ts';
import { LoaderSession } from './loader-session.ts';
import { NorFlash } from './nor-flash.ts';
import type { EspChipName, EspDeviceOptions } from './options.ts';
import { Peripherals } from './peripherals/attach.ts';
import { ProgramHost } from './program-host.ts';
import { LinkRate, romRate, usualRate } from './rates.ts';
import { buildMemory } from './registers.ts';

/**
 * `off`: no power. `held`: EN is low. `booting`: from reset until the application runs or a loader waits. `download`:
 * the ROM's loader. `stub`: an uploaded flasher stub. `program`: another program in RAM. `running`: the application.
 * `crashed`: silent until reset. `boot-loop`: restarts again and again.
 */
export type EspState =
  | 'off'
  | 'held'
  | 'booting'
  | 'download'
  | 'stub'
  | 'program'
  | 'running'
  | 'crashed'
  | 'boot-loop';

const brownOutText = '\r\nBrownout detector was triggered\r\n\r\n';

/** State of the board from power on to power off. */
interface Life {
  readonly line: DeviceLine;
  readonly timers: TimerGroup;
  readonly lines: ResetLines | null;
}

export class EspDevice implements Device {
  /** The breadboard on the chip's pins; null if the options have none. */
  readonly breadboard: Breadboard | null;
  readonly #options: EspDeviceOptions;
  readonly #identity: EspIdentity;
  readonly #flash: NorFlash;
  readonly #injector: FaultInjector<EspFault>;
  readonly #random: Random;
  readonly #commands = new Map<number, number>();
  readonly #rate: LinkRate;
  readonly #board: Breadboard;
  readonly #peripherals: Peripherals;
  readonly #programs: ProgramHost;
  readonly #demoProgram: DemoProgram;
  #lastStrap: 'flash' | 'download' = 'flash';
  #life: Life | null = null;
  #state: EspState = 'off';
  #session: LoaderSession | null = null;
  #bootHeld = false;
  /** Strap of a reset over USB that makes the port vanish while the chip keeps its power; otherwise null. */
  #reenumerating: 'flash' | 'download' | null = null;
  /** True: the supply breaks down again when the application starts. */
  #weakSupply = false;
  readonly #texts: StartTexts;

  /**
   * Pulls the cable, because of a fault or a reset over USB. Set by the code that plugs the device in.
   * @param replugAfter Milliseconds until the device comes back. Null: only when the user plugs it in.
   */
  onUnplug: ((replugAfter: number | null) => void) | null = null;

  /** @throws Error if no such chip exists. */
  constructor(options: EspDeviceOptions) {
    this.#options = options;
    this.#identity = completed(options);
    const { chip, flash, seed, security } = this.#identity;
    this.#random = createRandom(seed, `esp ${chip.name}`);
    this.#flash = new NorFlash(flash.size, options.profile ?? 'instant-flash', createRandom(seed, 'half done'));
    for (const { offset, data } of initialContent(chip, flash)) {
      this.#flash.preload(offset, security.flashEncryption === 'off' ? data : scramble(seed, offset, data));
    }
    this.breadboard = options.breadboard ?? null;
    this.#board = options.breadboard ?? new Breadboard();
    this.#peripherals = new Peripherals(this.#board);
    this.#injector = new FaultInjector(options.faults ?? []);
    this.#rate = new LinkRate(this.#identity, options.crystalFuse ?? 'measured');
    this.#programs = new ProgramHost(this.#identity, this.#rate, this.#board);
    this.#demoProgram = new DemoProgram(chip.name, options.improv);
    this.#texts = new StartTexts(this.#identity, this.#flash, (strap) => this.#memory(strap, () => true).memory);
  }

  get chip(): EspChipName {
    return this.#identity.chip.name;
  }

  /** In the form `AA:BB:CC:DD:EE:FF`. */
  get mac(): string {
    return macText(this.#identity.mac);
  }

  get state(): EspState {
    return this.#state;
  }

  get link(): Link {
    return this.#rate.link;
  }

  /** USB ids of the bridge or of the chip's own USB. */
  get usbIds(): { readonly usbVendorId: number; readonly usbProductId: number } {
    return usbIdsOf(this.#identity.connection);
  }

  get flash(): FlashView {
    this.#flash.settle(this.#now);
    return this.#flash;
  }

  /** Returns flash as the chip's program sees it: decrypted, if the flash is encrypted. */
  decrypted(offset: number, length: number): Uint8Array {
    const raw = this.flash.read(offset, length);
    const { security, seed } = this.#identity;
    return security.flashEncryption === 'off' ? raw : scramble(seed, offset, raw);
  }

  /** The fault of the last program, in RAM or loaded from flash by the ROM; null if it had none. */
  get programFault(): ProgramFault | null {
    return this.#programs.fault;
  }

  /** Number of received commands by opcode, since the device was created. */
  get commands(): ReadonlyMap<number, number> {
    return this.#commands;
  }

  /** Presses and releases the board's reset button. */
  pressReset(): void {
    if (this.#life !== null) {
      this.#halt('held');
      this.#start(this.#strap(), 'pin');
    }
  }

  /** Holds or releases the board's boot button. The chip samples it at a reset. */
  holdBoot(held: boolean): void {
    this.#bootHeld = held;
  }

  attach(line: DeviceLine): void {
    const pins = {
      hold: () => this.#halt('held'),
      release: (strap: 'flash' | 'download') => this.#released(strap),
    };
    const lines = resetLinesOf(this.#identity.connection, line.clock, pins, this.#options.enRiseTime);
    this.#life = { line, timers: new TimerGroup(line.clock), lines };
    line.setInputs({ clearToSend: true, dataSetReady: true });
    if (this.#reenumerating === null) {
      this.#board.powerUp(line.clock);
    }
    const interrupted = this.#reenumerating;
    this.#reenumerating = null;
    const { powerUp = 'attach' } = this.#options;
    if (interrupted !== null) {
      this.#start(interrupted, 'usb');
    } else if (powerUp !== 'first-open') {
      this.#start(powerUp === 'download' ? 'download' : this.#strap(), 'power');
    }
    this.#options.flood?.attach(line, this);
  }

  detach(): void {
    if (this.#reenumerating === null) {
      this.#flash.interrupt(this.#now);
      this.#weakSupply = false;
    }
    this.#halt('off');
    this.#options.flood?.detach();
    this.#life?.lines?.cancel();
    this.#life = null;
    this.#rate.hostRate = null;
  }

  controlChanged(lines: ControlLines): void {
    this.#life?.lines?.setLines(lines);
  }

  hostOpened({ baudRate }: UartSettings): void {
    this.#rate.hostRate = baudRate;
    if (this.#state === 'off' && this.#life !== null) {
      this.#start(this.#strap(), 'power');
    }
  }

  receive(bytes: Uint8Array): void {
    this.#programs.receive(bytes);
    this.#demoProgram.receive(bytes);
    const session = this.#session;
    if (session !== null && this.#life !== null && !this.#rate.measures(session.listens, this.#life.timers)) {
      session.receive(bytes);
    }
  }

  /** A loader accepts a byte with a bad frame like any other. */
  receiveDamaged(_error: 'framing' | 'parity', byte: number): void {
    this.receive(Uint8Array.of(byte));
  }

  get #now(): number {
    return this.#life?.line.clock.now() ?? Number.NEGATIVE_INFINITY;
  }

  #strap(): 'flash' | 'download' {
    return this.#bootHeld ? 'download' : (this.#life?.lines?.bootStrap ?? 'flash');
  }

  #released(strap: 'flash' | 'download'): void {
    const wanted = this.#bootHeld ? 'download' : strap;
    const { reenumerate } = this.#options;
    if (this.#identity.connection !== 'usb-jtag') {
      this.#start(wanted, 'pin');
    } else if (reenumerate === undefined || this.onUnplug === null) {
      this.#start(wanted, 'usb');
    } else {
      this.#reenumerating = wanted;
      this.onUnplug(reenumerate);
    }
  }

  #halt(state: EspState): void {
    this.#life?.timers.cancelAll();
    // The flash chip stays powered and completes its running operation.
    this.#flash.abandon(this.#now);
    this.#session?.stop();
    this.#session = null;
    this.#programs.stop();
    this.#demoProgram.stop();
    if (state !== 'crashed') {
      this.#peripherals.stop();
    }
    this.#rate.stopMeasuring();
    this.#state = state;
  }

  #start(strap: 'flash' | 'download', reason: ResetReason): void {
    const life = this.#life;
    this.#halt('booting');
    if (life === null) {
      return;
    }
    this.#lastStrap = strap;
    this.#rate.set(romRate(this.#identity));
    if (strap === 'download') {
      this.#startDownload(life, reason);
    } else {
      this.#startFlash(life, reason);
    }
  }

  #startDownload(life: Life, reason: ResetReason): void {
    life.timers.after(romStart, () => this.#print(this.#texts.download(reason)));
    life.timers.after(romReady, () => {
      this.#state = 'download';
      this.#session = this.#newSession(life);
    });
  }

  #startFlash(life: Life, reason: ResetReason): void {
    this.#flash.settle(this.#now);
    const script = this.#texts.flash(reason);
    for (const { time, text, by } of script.lines) {
      life.timers.after(time, () => {
        if (by === 'rom' || this.#startApplication()) {
          this.#print(text);
        }
      });
    }
    const [end, last] = [script.end, script.lines.at(-1)];
    if (end.kind === 'application') {
      life.timers.after((last?.time ?? romStart) + 1, () => {
        if (this.#startApplication() && end.demo !== null) {
          this.#demoProgram.start(end.demo, life.line, life.timers, (at, length) => this.#flash.read(at, length));
        }
      });
    } else if (end.kind === 'program') {
      life.timers.after(romStart + (last?.text.length ?? 0) * this.#rate.byteTime, () => this.#startImage(life, end));
    } else {
      this.#state = 'boot-loop';
      life.timers.after(end.time, () => this.#start(this.#strap(), end.reason));
    }
  }

  /** Starts a program in place of a bootloader. The program has to feed the watchdogs, which also end a crash. */
  #startImage(life: Life, { image, read }: Extract<BootEnd, { kind: 'program' }>): void {
    if (!this.#startApplication(this.#rate.baudRate)) {
      return;
    }
    const { memory, watchdogs } = this.#memory('flash', () => true);
    this.#peripherals.start(memory, this.chip, this.#identity.crystal);
    for (const watchdog of watchdogs) {
      watchdog.arm();
    }
    const crash = () => {
      this.#state = 'crashed';
    };
    this.#programs.startImage(image, read, { ...life, memory, crash });
  }

  /** Returns false if the supply breaks down. */
  #startApplication(baudRate = this.#options.appBaudRate ?? usualRate): boolean {
    if (this.#state === 'booting') {
      this.#state = 'running';
      this.#rate.set(baudRate);
    }
    if (!this.#weakSupply) {
      return true;
    }
    this.#weakSupply = false;
    this.#print(brownOutText);
    this.#start(this.#strap(), 'software');
    return false;
  }

  #newSession(life: Life): LoaderSession {
    const { chip, security, revision, crystal, seed } = this.#identity;
    const pins = { attached: false };
    const { memory } = this.#memory('download', () => pins.attached);
    this.#peripherals.start(memory, chip.name, crystal);
    const context = {
      chip,
      revision,
      crystal,
      security,
      memory,
      memoryTime: (now: number) => now - this.#board.origin,
      flash: this.#flash,
      stubKind: this.#options.stub ?? 'current',
      romDeflate: this.#options.romDeflate ?? chip.romDeflate ?? 'windows',
      hashBeyond: this.#identity.flash.hashBeyond,
      pins,
      encrypt: (offset: number, data: Uint8Array) => scramble(seed, offset, data),
    } as const;
    return new LoaderSession(context, {
      line: life.line,
      timers: life.timers,
      injector: this.#injector,
      random: this.#random,
      firstSyncLost: this.#options.firstSyncLost ?? false,
      slowStart: this.#identity.connection !== 'usb-jtag',
      count: (opcode) => this.#commands.set(opcode, (this.#commands.get(opcode) ?? 0) + 1),
      setRate: (baudRate) => this.#rate.change(baudRate, this.#state === 'stub' ? 'stub' : 'rom'),
      stubStarted: () => {
        this.#state = 'stub';
        this.#rate.stubStarted(context.stubKind);
      },
      startProgram: (entry) => {
        const runs = this.#programs.start(entry, { ...life, memory, crash: () => this.#halt('crashed') });
        this.#session = runs ? null : this.#session;
        this.#state = runs ? 'program' : this.#state;
        return runs;
      },
      leave: () => this.#start(this.#strap(), 'software'),
      crash: () => this.#halt('crashed'),
      panic: () => {
        this.#halt('crashed');
        this.#print(panicText(chip));
      },
      unplug: (replugAfter) => this.#pullCable(replugAfter),
      brownOut: () => {
        this.#weakSupply = true;
        this.#flash.interrupt(this.#now);
        this.#start('flash', 'brown-out');
      },
    });
  }

  /** Pulls the cable. A device without an `onUnplug` handler becomes silent instead. */
  #pullCable(replugAfter: number | null): void {
    if (this.onUnplug === null) {
      this.#halt('crashed');
    } else {
      this.onUnplug(replugAfter);
    }
  }

  #memory(strap: 'flash' | 'download', attached: () => boolean) {
    return buildMemory(this.#identity, strap, this.#options.crystalFuse ?? 'measured', {
      attached,
      rate: () => this.#rate.baudRate,
      boosted: () => this.#state === 'stub',
      // A system reset does not sample the straps again.
      reset: () => this.#start(this.#lastStrap, 'system'),
      restart: (delay, why) =>
        this.#life?.timers.after(delay, () => this.#start(this.#strap(), why)) ?? (() => undefined),
    });
  }

  #print(text: string): void {
    this.#life?.line.write(new TextEncoder().encode(text));
  }
}
