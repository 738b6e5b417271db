/**
 * Worker side of the flasher: connects boards, works on them and reports events. It runs beside the bench and uses the
 * bench's devices, so a board is never open in both. Plans, the purpose of files and protocols belong to the family.
 */
import type { Clock } from '@wirebench/clock';
import { commonFailureText, FlashError, followReturn, type WriteReport } from '@wirebench/flasher/core';
import type { BoardWork, FamilyTypes } from '@wirebench/flasher/family';
import type { PortNumber } from '@wirebench/serial';
import { BoardText } from '@wirebench/serial/board-text';
import { callFailure } from '../../protocol/calls/call-failure.ts';
import type { CallFailure, Channel } from '../../protocol/calls/call-protocol.ts';
import { type CallHandlers, CallServer } from '../../protocol/calls/call-server.ts';
import type {
  ConnectRequest,
  FlashEvent,
  FlasherApi,
  FlasherTick,
  FlashFailureDetail,
  FlashLine,
  OnPort,
} from '../../protocol/flash-protocol.ts';
import type { FlashSource } from '../../protocol/usb-source.ts';
import type { PortDevices } from '../bench/port-devices.ts';
import type { ToolPorts } from '../bench/tool-ports.ts';
import { erasedLine, type Line, readLine, reportLine, stageLine, writeLine } from './flash-lines.ts';
import type { BasicContext, WorkerBoard, WorkerFamily } from './worker-family.ts';

/** Rate of a demo board's own program, in baud. */
const consoleBaudRate = 115_200;

export interface FlasherWorkerParts<Types extends FamilyTypes> {
  readonly clock: Clock;
  readonly devices: PortDevices;
  readonly toolPorts: ToolPorts;
  readonly family: WorkerFamily<Types>;
}

/** A board that is connected, or about to be. */
interface Work<Types extends FamilyTypes> {
  /** Aborts the current work. */
  abort: AbortController;
  readonly text: BoardText;
  board: WorkerBoard<Types> | null;
  /** Gives the port back to the guests of a shared bench. */
  readonly release: () => void;
}

/** Returns a signal that `cancel` aborts, for the next work at a board. */
function begin(work: { abort: AbortController }): AbortSignal {
  work.abort = new AbortController();
  return work.abort.signal;
}

/** Returns the error for a request that needs a board in its bootloader. */
const notConnected = () =>
  new FlashError('port-gone', commonFailureText['port-gone'], { detail: 'No board is connected.' });

export class FlasherWorker<Types extends FamilyTypes> {
  readonly #clock: Clock;
  readonly #devices: PortDevices;
  readonly #toolPorts: ToolPorts;
  readonly #family: WorkerFamily<Types>;
  readonly #line: CallServer<FlasherApi<OnPort<Types>>, FlasherTick>;
  readonly #boards = new Map<PortNumber, Work<Types>>();
  #events: { port: PortNumber; event: FlashEvent }[] = [];
  #lines: FlashLine[] = [];

  constructor(channel: Channel, { clock, devices, toolPorts, family }: FlasherWorkerParts<Types>) {
    this.#clock = clock;
    this.#devices = devices;
    this.#toolPorts = toolPorts;
    this.#family = family;
    const tick = () => this.#tick();
    this.#line = new CallServer({ channel, clock, handlers: this.#handlers(), tick, failureOf });
  }

  #handlers(): CallHandlers<FlasherApi<OnPort<Types>>> {
    return {
      connect: (port, source, request) => this.#connect(port, source, request),
      isUsbFree: (place) => this.#devices.isUsbFree(place),
      cancel: (port) => this.#boards.get(port)?.abort.abort(),
      restart: (port) => this.#restart(port),
      close: (port) => this.#close(port),
      addFiles: (files, set) => this.#family.files.add(files, set),
      removeFiles: (ids, set) => this.#family.files.remove(ids, set),
      pickBuild: (name) => this.#family.files.choose(name),
      renewFiles: (batches, without) => this.#family.files.renew(batches, without),
      checkBuild: (files, programs) => this.#family.files.check(files, programs),
      pause: (duration) => this.#clock.sleep(duration),
      plan: (port, request) => {
        const { work, board } = this.#connected(port);
        return board.plan(request, begin(work));
      },
      parts: (port) => this.#connected(port).board.parts(),
      savedFiles: (port) => this.#connected(port).board.savedFiles(),
      write: (port, saved = false) => this.#write(port, saved),
      read: async (port, range) => {
        const read = () => this.#work(port, (board, its) => board.read(range, its));
        const bytes = await this.#toolPorts.unseen(port, read);
        this.#say(port, readLine(range, this.#connected(port).board.readProof));
        return new Blob([Uint8Array.from(bytes)], { type: 'application/octet-stream' });
      },
      erase: async (port, range) => {
        await this.#work(port, (board, its) => board.erase(range, its));
        this.#say(port, erasedLine(range));
        return this.#connected(port).board.facts;
      },
      perform: async (port, action) => {
        const act = () => this.#work(port, (board, its) => board.perform(action, its));
        const isUnseen = this.#connected(port).board.hidesActions;
        const stays = await (isUnseen ? this.#toolPorts.unseen(port, act) : act());
        if (stays) {
          return this.#connected(port).board.facts;
        }
        await this.#close(port);
        return null;
      },
    };
  }

  async #connect(
    port: PortNumber,
    source: FlashSource,
    request: ConnectRequest<Types['settings']>,
  ): Promise<OnPort<Types>['board']> {
    const before = this.#boards.get(port);
    const release = this.#hold(port);
    const work: Work<Types> = { abort: new AbortController(), text: new BoardText(), board: null, release };
    // From here on a cancel counts, even while the previous connection is being closed.
    this.#boards.set(port, work);
    try {
      before?.abort.abort();
      await before?.board?.close();
      if (work.abort.signal.aborted) {
        throw new FlashError('cancelled', commonFailureText.cancelled);
      }
      const board = await this.#reach(port, source, request, {
        signal: work.abort.signal,
        onStep: (step, line) => {
          this.#tell(port, { type: 'step', step });
          this.#say(port, line);
        },
        say: (line) => this.#say(port, line),
        onText: (bytes) => this.#showText(port, work.text.take(bytes)),
      });
      work.board = board;
      board.over.addEventListener('abort', () => {
        release();
        if (this.#boards.get(port) === work) {
          this.#tell(port, { type: 'gone' });
        }
      });
      return board.facts;
    } catch (error) {
      this.#showText(port, work.text.end());
      await this.#end(port, work);
      throw error;
    }
  }

  /**
   * Reserves the port. A guest of the shared bench who uses the port keeps it until the worker takes it back.
   * @throws FlashError `port-busy` if a guest uses the port.
   */
  #hold(port: PortNumber): () => void {
    try {
      return this.#toolPorts.hold(port);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw new FlashError('port-busy', commonFailureText['port-busy'], { detail });
    }
  }

  async #reach(
    port: PortNumber,
    source: FlashSource,
    request: ConnectRequest<Types['settings']>,
    context: BasicContext,
  ): Promise<WorkerBoard<Types>> {
    const isSame = source.kind === 'same';
    const isLike = this.#family.returnsAs;
    if (source.kind === 'drive') {
      const { connectDrive } = this.#family;
      const folder = source.folder ?? this.#devices.demoDrive(port);
      if (connectDrive === undefined || folder === null) {
        throw notConnected();
      }
      const returned = this.#devices.returning(port, isLike);
      const isDemo = this.#devices.isSimulated(port);
      return connectDrive(request, { ...context, port, isSame, isDemo, folder, returned });
    }
    const left = isSame ? await this.#devices.besidePort(port) : null;
    if (left !== null && this.#family.connectUsb !== undefined) {
      const isDemo = this.#devices.isSimulated(port);
      return this.#family.connectUsb(request, { ...context, ...left, port, isSame, isDemo });
    }
    if ((isSame && this.#devices.usb.has(port)) || source.kind === 'usb' || source.kind === 'demo-usb') {
      const { connectUsb } = this.#family;
      if (connectUsb === undefined) {
        throw notConnected();
      }
      const taken = await this.#devices.takeUsb(port, source);
      return connectUsb(request, { ...context, ...taken, port, isSame, isDemo: this.#devices.isSimulated(port) });
    }
    const device = this.#toolPorts.tapped(port, await this.#devices.take(port, source, consoleBaudRate));
    const returned = followReturn(this.#devices.returning(port, isLike), (back) => this.#toolPorts.tapped(port, back));
    const isDemo = this.#devices.isSimulated(port);
    const usb = this.#devices.usbBeside(port);
    return this.#family.connect(request, { ...context, port, isSame, device, returned, isDemo, usb });
  }

  async #write(port: PortNumber, saved: boolean): Promise<WriteReport> {
    const { work, board } = this.#connected(port);
    const write = this.#writeNow(port, work, board, saved);
    const report = await write.catch(async (error: unknown) => {
      // A board whose write was cancelled still answers. After other failures it may not.
      if (error instanceof FlashError && error.code === 'cancelled' && error.state !== 'unchanged') {
        await this.#look(port, work, board);
      }
      throw error;
    });
    this.#say(port, reportLine(report));
    if (report.written > 0) {
      await this.#look(port, work, board);
    }
    return report;
  }

  /** Reads again what is known of the board's flash. A failure leaves the facts as they were. */
  async #look(port: PortNumber, work: Work<Types>, board: WorkerBoard<Types>): Promise<void> {
    if (board.look === undefined) {
      return;
    }
    try {
      await this.#toolPorts.unseen(port, async () => board.look?.(begin(work)));
      this.#tell(port, { type: 'looked', board: board.facts });
    } catch (error) {
      const { message } = failureOf(error);
      this.#say(port, { level: 'warning', text: `What is on the board now could not be read: ${message}` });
    }
  }

  async #writeNow(
    port: PortNumber,
    work: Work<Types>,
    board: WorkerBoard<Types>,
    saved: boolean,
  ): Promise<WriteReport> {
    return board.write({
      signal: begin(work),
      // The page has sent the files to the downloads. Data that is written back stays here until it is.
      ...(saved && { save: async () => undefined }),
      unseen: (act) => this.#toolPorts.unseen(port, act),
      onStage: (stage) => {
        this.#tell(port, { type: 'stage', stage });
        this.#say(port, stageLine(stage));
      },
      onEvent: (event) => {
        this.#tell(port, { type: 'write', event });
        this.#say(port, writeLine(event, board.placeName));
      },
    });
  }

  async #restart(port: PortNumber): Promise<void> {
    const { board } = this.#connected(port);
    await board.restart();
    const vanished = board.vanishes && board.over.aborted;
    await this.#close(port);
    if (vanished) {
      await this.#awaitReturn(port);
    }
  }

  /** Performs one task at a board. `cancel` ends the task, and the board stays connected. */
  async #work<Result>(
    port: PortNumber,
    act: (board: WorkerBoard<Types>, work: BoardWork) => Promise<Result>,
  ): Promise<Result> {
    const { work, board } = this.#connected(port);
    const onProgress = (done: number, total: number) => this.#tell(port, { type: 'work', done, total });
    return act(board, { signal: begin(work), onProgress });
  }

  #connected(port: PortNumber): { work: Work<Types>; board: WorkerBoard<Types> } {
    const work = this.#boards.get(port);
    if (!work?.board) {
      throw notConnected();
    }
    return { work, board: work.board };
  }

  async #close(port: PortNumber): Promise<void> {
    const work = this.#boards.get(port);
    if (work !== undefined) {
      await this.#end(port, work);
    }
  }

  /** Closes one connection. If another board is connected at this port by now, that board is left alone. */
  async #end(port: PortNumber, work: Work<Types>): Promise<void> {
    if (this.#boards.get(port) === work) {
      this.#boards.delete(port);
    }
    work.abort.abort();
    try {
      await work.board?.close();
    } finally {
      work.release();
    }
  }

  /** Waits until a chip that restarted on its own USB port is back. A chip that is late is not an error here. */
  async #awaitReturn(port: PortNumber): Promise<void> {
    const late = new AbortController();
    const limit = Math.max(this.#family.returnLimit, this.#devices.personWait(port));
    const cancel = this.#clock.schedule(limit, () => late.abort());
    await this.#devices.returned(port, late.signal, this.#family.returnsAs).catch(() => undefined);
    cancel();
  }

  #tell(port: PortNumber, event: FlashEvent): void {
    this.#events.push({ port, event });
    this.#line.change();
  }

  #say(port: PortNumber, line: Line | null): void {
    if (line !== null) {
      this.#lines.push({ at: this.#clock.wallTime(), port, ...line });
      this.#line.change();
    }
  }

  #showText(port: PortNumber, lines: readonly string[]): void {
    for (const text of lines) {
      this.#say(port, { level: 'board', text });
    }
  }

  #tick(): FlasherTick {
    const tick = { events: this.#events, lines: this.#lines };
    this.#events = [];
    this.#lines = [];
    return tick;
  }
}

function failureOf(error: unknown): CallFailure {
  if (error instanceof FlashError) {
    const detail: FlashFailureDetail = { detail: error.detail, state: error.state };
    return { name: error.name, message: error.message, code: error.code, detail };
  }
  return callFailure(error);
}
