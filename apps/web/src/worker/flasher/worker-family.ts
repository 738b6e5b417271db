/**
 * The worker's adapter for every family: connects boards of the family at a port of the bench, keeps the files that
 * were given for them, and says in the log what was found.
 */
import type { Clock } from '@wirebench/clock';
import { type FlashRange, followReturn, type WriteReport } from '@wirebench/flasher/core';
import type {
  BoardWork,
  ConnectStep,
  DriveFolder,
  Family,
  FamilyBoard,
  FamilyTypes,
  Inspection,
  ReturnedPort,
  UsbDevice,
  UsbDevices,
  WriteOptions,
} from '@wirebench/flasher/family';
import { FileSets, type FilesOfFamily, type PlannableFiles } from '@wirebench/flasher/given-files';
import type { PortNumber } from '@wirebench/serial';
import type {
  ConnectRequest,
  OnPort,
  PlanFacts,
  PlannedPart,
  PlanRequest,
  SavedArchive,
} from '../../protocol/flash-protocol.ts';
import { addressText } from '../../shared/format/hex.ts';
import type { Line } from './flash-lines.ts';

/** The worker's own part of a family, beside its behaviour: the given files, and the words of the log. */
export interface FamilyParts<Types extends FamilyTypes> {
  readonly family: Family<Types>;
  readonly files: FilesOfFamily<PlannableFiles<Types['file']>>;
  /** Returns the lines that describe a board whose bootloader has answered. */
  boardLines(board: Identified<Types>): readonly Line[];
  noticeLines?(notice: Types['notice']): readonly Line[];
  /** Returns the lines after an action. Missing: none. */
  actionLines?(facts: Types['facts']): readonly Line[];
  /** Log text that states how read bytes were verified: `MD5 matches`. */
  readonly readProof: string;
  /** True: actions read secrets, such as keys in eFuses, so that guests of a shared bench do not see their bytes. */
  readonly hidesActions?: true;
  readonly inspection?: Inspection;
}

export interface BasicContext {
  readonly signal: AbortSignal;
  /** @param line Line for the log; null for no line. */
  readonly onStep: (step: string, line: Line | null) => void;
  readonly say: (line: Line) => void;
  /** Receives bytes that the board prints outside the protocol. */
  readonly onText: (bytes: Uint8Array) => void;
}

interface PortContext extends BasicContext {
  readonly port: PortNumber;
  /** True: the page connects the last board of this port again. False: any board may be behind the port. */
  readonly isSame: boolean;
  readonly isDemo: boolean;
}

interface ConnectContext extends PortContext {
  /** The port's device at present. */
  readonly device: SerialPort;
  /** USB devices among which a board that leaves its port is found. Missing or null: there are none. */
  readonly usb?: UsbDevices | null;
  /** Resolves with the new object once the same board is back. */
  readonly returned: ReturnedPort;
}

interface UsbContext extends PortContext {
  readonly device: UsbDevice;
  /** Aborts when the device is unplugged. */
  readonly gone: AbortSignal;
}

interface DriveContext extends PortContext {
  readonly folder: DriveFolder;
  /** Resolves with the program's port once the board has restarted. */
  readonly returned: ReturnedPort;
}

type Identified<Types extends FamilyTypes> = Pick<Types['facts'], 'info' | 'baudRate'>;

/** The worker's side of a family: created once for each page that opens its flasher. */
export function workerFamily<Types extends FamilyTypes>(own: FamilyParts<Types>, clock: Clock) {
  const { family } = own;
  const { connectDrive, connectUsb, returnsAs, returnLimit } = family;
  const files = new FileSets(own.files);
  const optionsOf = (request: ConnectRequest<Types['settings']>, context: PortContext) => {
    const { settings, baudRate, byHand = false, expectedId = null, stub } = request;
    const { signal, port: place, isSame, isDemo, onStep, say, onText } = context;
    return {
      ...{ clock, signal, settings, baudRate, byHand, expectedId, isDemo, place, isSame, onText },
      ...(stub !== undefined && { stub }),
      ...(own.inspection !== undefined && { inspection: own.inspection }),
      // The lines about the board follow the last step.
      onStep: ({ name, text, asksPerson }: ConnectStep) =>
        onStep(name, name === 'ready' ? null : { level: asksPerson ? 'warning' : 'info', text }),
      onIdentified: (board: Identified<Types>) => own.boardLines(board).forEach(say),
      onNotice: (notice: Types['notice']) => own.noticeLines?.(notice).forEach(say),
    };
  };
  const workerBoard = (board: FamilyBoard<Types>, context: PortContext, portInfo: () => SerialPortInfo) =>
    new WorkerBoard({ own, files, board, context, portInfo });
  return {
    files,
    returnLimit,
    ...(returnsAs !== undefined && { returnsAs }),
    async connect(request: ConnectRequest<Types['settings']>, context: ConnectContext) {
      let port = context.device;
      const returned = followReturn(context.returned, (back) => {
        port = back;
        return back;
      });
      const { usb = null } = context;
      const options = { ...optionsOf(request, context), returned, ...(usb !== null && { usb }) };
      const board = await family.connect(port, options);
      return workerBoard(board, context, () => port.getInfo());
    },
    ...(connectDrive !== undefined && {
      async connectDrive(request: ConnectRequest<Types['settings']>, context: DriveContext) {
        const { folder, returned } = context;
        const board = await connectDrive(folder, { ...optionsOf(request, context), returned });
        return workerBoard(board, context, () => ({}));
      },
    }),
    ...(connectUsb !== undefined && {
      async connectUsb(request: ConnectRequest<Types['settings']>, context: UsbContext) {
        const { device, gone } = context;
        const board = await connectUsb(device, gone, { ...optionsOf(request, context), returned: neverReturns });
        return workerBoard(board, context, () => ({ usbVendorId: device.vendorId, usbProductId: device.productId }));
      },
    }),
  };
}

export type WorkerFamily<Types extends FamilyTypes> = ReturnType<typeof workerFamily<Types>>;

/** A USB device is not awaited: its bootloader does not restart. */
const neverReturns = () => Promise.reject(new DOMException('A USB device has no port.', 'NotFoundError'));

interface WorkerBoardParts<Types extends FamilyTypes> {
  readonly own: FamilyParts<Types>;
  readonly files: FileSets<PlannableFiles<Types['file']>>;
  readonly board: FamilyBoard<Types>;
  readonly context: PortContext;
  /** Returns the ids of the port as which the board came back last. */
  readonly portInfo: () => SerialPortInfo;
}

/** A board in its bootloader, at a port of the bench. Performs one call at a time. Calls reject with a `FlashError`. */
export class WorkerBoard<Types extends FamilyTypes> {
  readonly readProof: string;
  readonly hidesActions: boolean;
  readonly look?: (signal: AbortSignal) => Promise<void>;
  readonly #parts: WorkerBoardParts<Types>;
  readonly #board: FamilyBoard<Types>;

  constructor(parts: WorkerBoardParts<Types>) {
    const { own, board } = parts;
    this.#parts = parts;
    this.#board = board;
    this.readProof = own.readProof;
    this.hidesActions = own.hidesActions === true;
    if (board.look !== undefined) {
      this.look = (signal) => board.look?.(signal) ?? Promise.resolve();
    }
  }

  get facts(): OnPort<Types>['board'] {
    const { context, portInfo } = this.#parts;
    return { ...this.#board.facts, demo: context.isDemo, port: portInfo() };
  }

  get over(): AbortSignal {
    return this.#board.over;
  }

  get vanishes(): boolean {
    return this.#board.vanishes;
  }

  readonly placeName = (offset: number): string => this.#board.placeName?.(offset) ?? addressText(offset);

  plan({ fileSet, files, ...request }: PlanRequest<Types['settings']>, signal: AbortSignal): Promise<PlanFacts> {
    return this.#board.plan({ ...request, files: this.#parts.files.of(fileSet).forPlan(files) }, signal);
  }

  parts(): PlannedPart[] {
    return (this.#board.parts?.() ?? []).map(({ name, offset, bytes }) => ({
      name,
      offset,
      content: new Blob(bytes.map((part) => Uint8Array.from(part))),
    }));
  }

  savedFiles(): SavedArchive[] {
    return (this.#board.savedFiles?.() ?? []).map(({ name, bytes, isPutBack, offset }) => ({
      name,
      isPutBack,
      ...(offset !== undefined && { offset }),
      content: new Blob([Uint8Array.from(bytes)], {
        type: name.endsWith('.zip') ? 'application/zip' : 'application/octet-stream',
      }),
    }));
  }

  write(options: WriteOptions): Promise<WriteReport> {
    return this.#board.write(options);
  }

  read(range: FlashRange, work: BoardWork): Promise<Uint8Array> {
    return this.#board.read(range, work);
  }

  erase(range: FlashRange | null, work: BoardWork): Promise<void> {
    return this.#board.erase(range, work);
  }

  async perform(action: Types['action'], work: BoardWork): Promise<boolean> {
    const { own, context } = this.#parts;
    const stays = await this.#board.perform(action, work);
    if (stays) {
      own.actionLines?.(this.#board.facts).forEach(context.say);
    }
    return stays;
  }

  restart(): Promise<void> {
    return this.#board.restart();
  }

  close(): Promise<void> {
    return this.#board.close();
  }
}
