/** A boot ROM's device with planned faults between it and the host. Without a fault due, it passes everything on. */
import type { Clock } from '@wirebench/clock';
import { FaultInjector, faultDelay } from '../wire/step-faults.ts';
import type { RpFault, RpStep } from './faults.ts';
import { address, type BootDevice, type ControlAnswer, type Setup } from './rom/boot-device.ts';
import { type InPacket, type OutResult, packetSize } from './rom/endpoint.ts';
import { request } from './rom/picoboot.ts';
import { status } from './rom/worker.ts';
import type { UsbTarget } from './usb/full-speed-host.ts';

const picobootMagic = 0x431f_d10b;
const storageSignature = 0x4342_5355;
const readCommand = 0x28;
const writeCommand = 0x2a;

/** Steps by the number of a PICOBOOT command, without its direction bit. */
const commandSteps: Readonly<Record<number, RpStep>> = {
  1: 'exclusive-access',
  2: 'reboot',
  3: 'flash-erase',
  4: 'read',
  5: 'write',
  6: 'exit-xip',
  8: 'exec',
  10: 'reboot',
  11: 'get-info',
};

interface FaultyOptions {
  readonly clock: Clock;
  readonly faults: readonly RpFault[];
  unplug(replugAfter: number | null): void;
  brownOut(): void;
}

/** The PICOBOOT command under way, with the fault that is due at it. */
interface Course {
  readonly fault: RpFault;
  /** Endpoint of the data, and the packets that are left; null without data. */
  readonly dataAt: number | null;
  left: number;
  /** Packets of data so far. */
  passed: number;
}

export class FaultyTarget implements UsbTarget {
  readonly #device: BootDevice;
  readonly #options: FaultyOptions;
  readonly #injector: FaultInjector<RpFault>;
  readonly #listeners = new Set<() => void>();
  /** Time until which an endpoint answers NAK. */
  readonly #blocked = new Map<number, number>();
  /** Endpoints whose toggles differ by one from the device's, because a packet was swallowed or made up. */
  readonly #shifted = new Set<number>();
  #course: Course | null = null;
  /** Packets of data of a WRITE that are still to come, which are no commands. */
  #dataLeft = 0;
  #isHanging = false;
  #hasFailedSilently = false;
  #driveFault: RpFault | null = null;
  /** Toggle of the last packet of data to the host. */
  #lastToggle = 0;

  constructor(device: BootDevice, options: FaultyOptions) {
    this.#device = device;
    this.#options = options;
    this.#injector = new FaultInjector(options.faults);
    device.onChange(() => this.#announce());
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  isReady(endpoint: number): boolean {
    return !this.#isBlocked(endpoint) && this.#device.isReady(endpoint);
  }

  busReset(): void {
    this.#forget();
    this.#shifted.clear();
    this.#device.busReset();
  }

  control(setup: Setup): ControlAnswer {
    if (this.#isHanging) {
      return 'nak';
    }
    const step = requestStep(setup);
    const fault = step === null ? null : this.#injector.reach(step);
    if (fault !== null && !this.#startsWhole(fault)) {
      return fault.kind === 'stall-request' ? 'stall' : 'nak';
    }
    if (step === 'interface-reset') {
      this.#forget();
    } else if (setup.type === 2 && setup.request === 1) {
      this.#shifted.delete(setup.index);
    } else if (setup.type === 0 && setup.request === 9) {
      this.#forget();
      this.#shifted.clear();
    }
    const answer = this.#device.control(setup);
    if (step === 'get-command-status' && this.#hasFailedSilently && typeof answer !== 'string') {
      answer.set([status.unknownError, 0, 0, 0], 4);
      answer[9] = 0;
    }
    return answer;
  }

  out(endpoint: number, data: Uint8Array, toggle: number): OutResult {
    if (this.#isBlocked(endpoint) || !this.#device.isReady(endpoint)) {
      return 'nak';
    }
    if (endpoint === address.storageOut) {
      this.#driveOut(data);
    } else if (this.#dataLeft > 0) {
      this.#dataLeft--;
      return this.#dataOut(data, toggle);
    } else {
      return this.#command(data, toggle);
    }
    return this.#pass(endpoint, data, toggle);
  }

  in(endpoint: number): InPacket | 'nak' | 'stall' {
    if (this.#isBlocked(endpoint) || !this.#device.isReady(endpoint)) {
      return 'nak';
    }
    if (endpoint === address.picobootIn && this.#course !== null) {
      return this.#course.dataAt === endpoint ? this.#dataIn(this.#course) : this.#acknowledgement(this.#course);
    }
    const packet = this.#receive(endpoint);
    if (endpoint === address.storageIn && typeof packet !== 'string') {
      return this.#driveIn(packet);
    }
    return packet;
  }

  #command(data: Uint8Array, toggle: number): OutResult {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const isCommand = data.length === 32 && view.getUint32(0, true) === picobootMagic;
    if (!isCommand) {
      return this.#pass(address.picobootOut, data, toggle);
    }
    const length = view.getUint32(12, true);
    const step = commandSteps[view.getUint8(8) & 0x7f];
    const isIn = view.getUint8(8) >= 0x80;
    const fault = step === undefined || this.#course !== null ? null : this.#injector.reach(step);
    const packets = Math.ceil(length / packetSize);
    if (fault !== null) {
      if (fault.kind === 'late-command') {
        this.#block(address.picobootOut, faultDelay(fault));
        return 'nak';
      }
      this.#course = {
        fault,
        dataAt: length === 0 ? null : isIn ? address.picobootIn : address.picobootOut,
        left: packets,
        passed: 0,
      };
      if (!this.#startsWhole(fault)) {
        return 'ack';
      }
      if (fault.kind === 'stall-command') {
        // The ROM halts both endpoints at a packet that is no command.
        return this.#pass(address.picobootOut, data.slice(0, 31), toggle);
      }
      if (fault.kind === 'lost-command') {
        return this.#swallow(address.picobootOut);
      }
    }
    const result = this.#pass(address.picobootOut, data, toggle);
    this.#dataLeft = result === 'ack' && !isIn ? packets : 0;
    return result;
  }

  /** Carries out the faults that end everything. @returns False if nothing more is to be done. */
  #startsWhole(fault: RpFault): boolean {
    switch (fault.kind) {
      case 'hang':
        this.#isHanging = true;
        return false;
      case 'unplug':
        this.#options.unplug(fault.replugAfter ?? null);
        return false;
      case 'brown-out':
        this.#options.brownOut();
        return false;
      default:
        return fault.kind !== 'stall-request' && fault.kind !== 'lost-request';
    }
  }

  #dataOut(data: Uint8Array, toggle: number): OutResult {
    const course = this.#course;
    if (course === null) {
      return this.#pass(address.picobootOut, data, toggle);
    }
    course.left--;
    course.passed++;
    const { fault } = course;
    if (fault.kind === 'silent-end' && course.left === 0) {
      this.#hasFailedSilently = true;
      const result = this.#swallow(address.picobootOut);
      this.#device.endpoint(address.picobootOut).halt();
      return result;
    }
    const result = this.#pass(address.picobootOut, damaged(course, data), toggle);
    this.#afterData(course, address.picobootOut);
    return result;
  }

  #dataIn(course: Course): InPacket | 'nak' | 'stall' {
    if (course.fault.kind === 'short-data' && course.passed === 1) {
      this.#block(address.picobootIn, Number.POSITIVE_INFINITY);
      course.passed++;
      this.#shift(address.picobootIn);
      return { data: new Uint8Array(), toggle: this.#lastToggle ^ 1 };
    }
    const packet = this.#receive(address.picobootIn);
    if (typeof packet === 'string') {
      return packet;
    }
    course.left--;
    course.passed++;
    const data = damaged(course, packet.data);
    this.#lastToggle = packet.toggle;
    this.#afterData(course, address.picobootIn);
    return { ...packet, data };
  }

  #afterData(course: Course, endpoint: number): void {
    const { fault } = course;
    if (course.passed === 1) {
      if (fault.kind === 'stall-data') {
        this.#device.endpoint(endpoint).halt();
      } else if (fault.kind === 'lost-data') {
        this.#block(endpoint, Number.POSITIVE_INFINITY);
        this.#block(address.picobootIn, Number.POSITIVE_INFINITY);
      } else if (fault.kind === 'late-data') {
        this.#block(endpoint, faultDelay(fault));
      } else if (fault.kind === 'unplug-in-data') {
        this.#options.unplug(fault.replugAfter ?? null);
      }
    }
    if (course.left === 0 && endpoint === address.picobootIn) {
      this.#course = null;
    }
  }

  #acknowledgement(course: Course): InPacket | 'nak' | 'stall' {
    const { fault } = course;
    switch (fault.kind) {
      case 'lost-acknowledgement':
        this.#block(address.picobootIn, Number.POSITIVE_INFINITY);
        return 'nak';
      case 'late-acknowledgement':
        this.#course = null;
        this.#block(address.picobootIn, faultDelay(fault));
        return 'nak';
      case 'stall-acknowledgement':
        this.#course = null;
        this.#device.endpoint(address.picobootIn).halt();
        return 'stall';
      case 'unplug-at-end':
        this.#options.unplug(fault.replugAfter ?? null);
        return 'nak';
      default:
        this.#course = null;
        return this.#receive(address.picobootIn);
    }
  }

  #driveOut(data: Uint8Array): void {
    const view = new DataView(data.buffer, data.byteOffset, data.length);
    const isCommand = data.length === 31 && view.getUint32(0, true) === storageSignature;
    const code = isCommand ? view.getUint8(15) : null;
    if (code === readCommand || code === writeCommand) {
      const fault = this.#injector.reach(code === readCommand ? 'drive-read' : 'drive-write');
      this.#driveFault = fault !== null && this.#startsWhole(fault) ? fault : null;
    } else if (!isCommand && this.#driveFault?.kind === 'unplug-in-data') {
      this.#options.unplug(this.#driveFault.replugAfter ?? null);
    }
  }

  #driveIn(packet: InPacket): InPacket {
    const fault = this.#driveFault;
    if (fault?.kind === 'unplug-in-data') {
      this.#options.unplug(fault.replugAfter ?? null);
    } else if (fault?.kind === 'write-error' && packet.data.length === 13) {
      const data = packet.data.slice();
      data[12] = 1;
      this.#driveFault = null;
      return { ...packet, data };
    }
    return packet;
  }

  #pass(endpoint: number, data: Uint8Array, toggle: number): OutResult {
    return this.#device.out(endpoint, data, this.#shifted.has(endpoint) ? toggle ^ 1 : toggle);
  }

  #receive(endpoint: number): InPacket | 'nak' | 'stall' {
    const packet = this.#device.in(endpoint);
    return typeof packet !== 'string' && this.#shifted.has(endpoint)
      ? { ...packet, toggle: packet.toggle ^ 1 }
      : packet;
  }

  /** Takes a packet that the device never sees. Nothing moves any more before a reset. */
  #swallow(endpoint: number): OutResult {
    this.#shift(endpoint);
    this.#block(address.picobootOut, Number.POSITIVE_INFINITY);
    this.#block(address.picobootIn, Number.POSITIVE_INFINITY);
    return 'ack';
  }

  #shift(endpoint: number): void {
    if (!this.#shifted.delete(endpoint)) {
      this.#shifted.add(endpoint);
    }
  }

  #block(endpoint: number, duration: number): void {
    const { clock } = this.#options;
    this.#blocked.set(endpoint, clock.now() + duration);
    if (duration !== Number.POSITIVE_INFINITY) {
      clock.schedule(duration, () => this.#announce());
    }
  }

  #isBlocked(endpoint: number): boolean {
    return this.#isHanging || this.#options.clock.now() < (this.#blocked.get(endpoint) ?? 0);
  }

  /** An interface reset or a new configuration ends the fault. */
  #forget(): void {
    this.#blocked.clear();
    this.#course = null;
    this.#dataLeft = 0;
    this.#hasFailedSilently = false;
    this.#driveFault = null;
  }

  #announce(): void {
    for (const listener of [...this.#listeners]) {
      listener();
    }
  }
}

/** Returns the first packet with one bit wrong if that is the fault. */
function damaged({ fault, passed }: Course, data: Uint8Array): Uint8Array {
  if (fault.kind !== 'damaged-data' || passed !== 1 || data.length === 0) {
    return data;
  }
  const copy = data.slice();
  copy[0] = (copy[0] ?? 0) ^ 0x10;
  return copy;
}

function requestStep({ type, request: code, index }: Setup): RpStep | null {
  if ((index & 0xff) !== 1 || (type & 0x7f) !== 0x41) {
    return null;
  }
  if (code === request.reset && type === 0x41) {
    return 'interface-reset';
  }
  return code === request.status && type === 0xc1 ? 'get-command-status' : null;
}
