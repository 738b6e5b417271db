/**
 * The memory of a task inside functions of the demo application: its stack with their frames, and its control block.
 * The frames are those of Xtensa's windowed calls. The caller's a0 to a3 are in the 16 bytes below the stack pointer
 * of the called function (ISA reference manual, 4.7.1.4).
 */
import { viewOf, words32 } from '../../byte-fields.ts';
import {
  controlBlock,
  demoSource,
  demoStructures,
  demoTypes,
  lineAddresses,
  type SourceFunction,
  type SourceMember,
} from '../../esp/firmware/demo-source.ts';
import type { SceneFrame, SceneTask } from './scenes.ts';

interface ImageFrame {
  /** Address of the call, or of the instruction that crashed. */
  readonly address: number;
  /** Address at which the function continues. In the innermost frame the same as `address`. */
  readonly pc: number;
  readonly sp: number;
}

export interface TaskImage {
  readonly tcb: number;
  readonly memory: readonly { readonly address: number; readonly bytes: Uint8Array }[];
  /** Innermost frame first. */
  readonly frames: readonly ImageFrame[];
  /** a0 to a15. */
  readonly registers: readonly number[];
}

/** Fill byte of FreeRTOS for unused stack (`tskSTACK_FILL_BYTE`). */
const FILL = 0xa5;
/** Size of the call in the two highest bits of a return address: CALL8. */
const CALL8 = 0x8000_0000;
const callSize = 3;
/** Address of the first task's memory, and bytes for each task. */
const [memoryStart, memoryEach] = [0x3ffb_8000, 0x2000];
const saveArea = 16;

interface Placed {
  readonly scene: SceneFrame;
  readonly source: SourceFunction;
  readonly sp: number;
  readonly end: number;
}

/**
 * @param task Functions and variables of the task.
 * @param number Index of the task, from 0. It decides the task's addresses.
 * @param codeStart Address of the application's code.
 */
export function taskImage(task: SceneTask, number: number, codeStart: number): TaskImage {
  const tcb = memoryStart + number * memoryEach;
  const high = tcb + memoryEach;
  const low = high - task.stack;
  let end = high - saveArea;
  const outermostFirst = [...task.frames].reverse().map((scene): Placed => {
    const source = functionOf(scene.function);
    const placed = { scene, source, end, sp: end - source.frame };
    end = placed.sp;
    return placed;
  });
  const placed = outermostFirst.reverse();
  const start = (placed[0]?.sp ?? high) - saveArea;
  const stack = new Uint8Array(high - start).fill(FILL);
  const view = viewOf(stack);
  for (const [index, { scene, source, end: cfa, sp }] of placed.entries()) {
    const caller = placed[index + 1];
    if (caller !== undefined) {
      const further = placed[index + 2];
      const returnAddress = further === undefined ? 0 : returnTo(further, codeStart);
      stack.set(words32(returnAddress, caller.sp, 0, 0), sp - saveArea - start);
    }
    for (const { name, type, offset } of source.variables) {
      writeValue(view, cfa + offset - start, demoTypes[type], scene.values[name] ?? 0, (wanted) =>
        addressOf(placed, wanted),
      );
    }
  }
  const [innermost, caller] = placed;
  const a0 = caller === undefined ? 0 : returnTo(caller, codeStart);
  return {
    tcb,
    memory: [
      { address: tcb, bytes: block(task, { top: innermost?.sp ?? high, low, high }) },
      { address: start, bytes: stack },
    ],
    frames: placed.map(({ scene, source, sp }, index) => {
      const address = codeStart + callAt(scene, source);
      return { address, pc: index === 0 ? address : address + callSize, sp };
    }),
    registers: [a0, innermost?.sp ?? high, ...Array.from({ length: 14 }, () => 0)],
  };
}

function functionOf(name: string): SourceFunction {
  const found = demoSource.functions.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`The demo has no function ${name}`);
  }
  return found;
}

/** Returns the offset of the call or the crashing instruction: the second instruction of its line. */
function callAt({ line }: SceneFrame, source: SourceFunction): number {
  const found = lineAddresses(source).find((one) => one.line === line);
  if (found === undefined) {
    throw new Error(`${source.name} has no line ${line}`);
  }
  return found.offset + callSize;
}

function returnTo({ scene, source }: Placed, codeStart: number): number {
  return (((codeStart + callAt(scene, source) + callSize) & 0x3fff_ffff) | CALL8) >>> 0;
}

function addressOf(
  placed: readonly Placed[],
  wanted: { readonly function: string; readonly variable: string },
): number {
  const frame = placed.find(({ source }) => source.name === wanted.function);
  const variable = frame?.source.variables.find(({ name }) => name === wanted.variable);
  return (frame?.end ?? 0) + (variable?.offset ?? 0);
}

type Value = SceneFrame['values'][string];
type AddressFor = (wanted: Exclude<Value, number | string | readonly (number | string)[]>) => number;

function writeValue(
  view: DataView,
  at: number,
  type: (typeof demoTypes)[keyof typeof demoTypes],
  value: Value,
  addressFor: AddressFor,
): void {
  if (typeof value === 'string') {
    const room = type.kind === 'array' ? type.count : 4;
    writeText(view, at, value, room);
  } else if (typeof value === 'number') {
    view.setUint32(at, value >>> 0, true);
  } else if ('function' in value) {
    view.setUint32(at, addressFor(value), true);
  } else if (type.kind === 'structure') {
    const members: readonly SourceMember[] = Object.values(demoStructures[type.name].members);
    for (const [index, member] of members.entries()) {
      writeValue(view, at + member.offset, demoTypes[member.type], value[index] ?? 0, addressFor);
    }
  }
}

function writeText(view: DataView, at: number, text: string, room: number): void {
  for (let index = 0; index < room; index++) {
    view.setUint8(at + index, index < room - 1 ? text.charCodeAt(index) || 0 : 0);
  }
}

function block(
  { name, priority }: SceneTask,
  { top, low, high }: { top: number; low: number; high: number },
): Uint8Array {
  const bytes = new Uint8Array(controlBlock.size);
  const view = viewOf(bytes);
  const { members } = controlBlock;
  view.setUint32(members.pxTopOfStack.offset, top, true);
  view.setUint32(members.uxPriority.offset, priority, true);
  view.setUint32(members.pxStack.offset, low, true);
  view.setUint32(members.pxEndOfStack.offset, high - saveArea, true);
  writeText(view, members.pcTaskName.offset, name, 16);
  return bytes;
}
