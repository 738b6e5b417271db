/**
 * The fictional source of the demo application: its functions with their lines, variables and types. On a stack, each
 * function has a frame of its own size. Its variables are below the end of that frame (the CFA).
 */

/** A C type in the spelling of `demoTypes`. */
export type SourceType = keyof typeof demoTypes;

interface SourceVariable {
  readonly name: string;
  readonly type: SourceType;
  /** Bytes from the end of the frame; negative. */
  readonly offset: number;
  readonly isParameter: boolean;
}

export interface SourceFunction {
  readonly name: string;
  /** Bytes from the start of the code. */
  readonly offset: number;
  readonly size: number;
  /** Line numbers; the first one is the declaration. */
  readonly lines: readonly number[];
  /** Size of the frame on the stack in bytes. */
  readonly frame: number;
  readonly variables: readonly SourceVariable[];
}

export interface SourceMember {
  readonly type: SourceType;
  /** Bytes from the start of the structure. */
  readonly offset: number;
}

interface SourceStructure {
  readonly size: number;
  readonly members: Readonly<Record<string, SourceMember>>;
}

/** The members of FreeRTOS's `TCB_t` (`tasks.c`) that the demo uses. */
export const controlBlock = {
  size: 96,
  members: {
    pxTopOfStack: { type: 'char *', offset: 0 },
    uxPriority: { type: 'unsigned int', offset: 44 },
    pxStack: { type: 'char *', offset: 48 },
    pcTaskName: { type: 'char [16]', offset: 52 },
    pxEndOfStack: { type: 'char *', offset: 68 },
  },
} as const satisfies SourceStructure;

const sensor = {
  size: 16,
  members: {
    id: { type: 'int', offset: 0 },
    value: { type: 'int', offset: 4 },
    name: { type: 'char [8]', offset: 8 },
  },
} as const satisfies SourceStructure;

/** The types. Encodings are DWARF's: 5 for signed, 7 for unsigned, 6 for a signed character. */
export const demoTypes = {
  int: { kind: 'base', size: 4, encoding: 5 },
  'unsigned int': { kind: 'base', size: 4, encoding: 7 },
  char: { kind: 'base', size: 1, encoding: 6 },
  'const char': { kind: 'const', target: 'char' },
  'char *': { kind: 'pointer', target: 'char' },
  'const char *': { kind: 'pointer', target: 'const char' },
  'char [8]': { kind: 'array', target: 'char', count: 8 },
  'char [16]': { kind: 'array', target: 'char', count: 16 },
  'char [24]': { kind: 'array', target: 'char', count: 24 },
  'struct sensor': { kind: 'structure', name: 'sensor' },
  'struct sensor *': { kind: 'pointer', target: 'struct sensor' },
  'struct tskTaskControlBlock': { kind: 'structure', name: 'tskTaskControlBlock' },
} as const;

export const demoStructures = { sensor, tskTaskControlBlock: controlBlock } as const;

/** Bytes of code for each line. */
const bytesOfLine = 12;

type Given = readonly [name: string, lines: readonly number[], frame?: number, variables?: readonly SourceVariable[]];

function sourceFunctions(functions: readonly Given[]): SourceFunction[] {
  let offset = 0;
  return functions.map(([name, lines, frame = 48, variables = []]) => {
    const one = { name, offset, size: lines.length * bytesOfLine, lines, frame, variables };
    offset += one.size;
    return one;
  });
}

const parameter = (name: string, type: SourceType, offset: number) => ({ name, type, offset, isParameter: true });
const local = (name: string, type: SourceType, offset: number) => ({ name, type, offset, isParameter: false });

/**
 * The demo's source. Variables begin 36 bytes below the frame's end, because the callers' registers use the upper 32
 * bytes.
 */
export const demoSource = {
  directory: '/project/main',
  file: 'wirebench_demo.c',
  functions: sourceFunctions([
    ['say_hello', [14, 15, 16, 17]],
    [
      'read_sensor',
      [21, 22, 24, 25, 26],
      64,
      [parameter('sensor', 'struct sensor *', -36), parameter('channel', 'int', -40), local('sum', 'int', -44)],
    ],
    [
      'sensor_task',
      [30, 31, 32, 33, 35],
      80,
      [local('bme280', 'struct sensor', -48), local('rounds', 'unsigned int', -52)],
    ],
    ['app_main', [39, 40, 41, 42, 43]],
    ['check_limit', [47, 48, 49, 50], 64, [parameter('value', 'int', -36), parameter('limit', 'int', -40)]],
    [
      'wait_for_bus',
      [54, 55, 56, 57, 58],
      64,
      [parameter('timeout', 'unsigned int', -36), local('polls', 'unsigned int', -40)],
    ],
    ['open_menu', [62, 63, 64, 65], 96, [parameter('depth', 'int', -36), local('title', 'char [24]', -60)]],
    [
      'run_command',
      [69, 70, 71, 72, 73, 74],
      64,
      [parameter('line', 'const char *', -36), local('result', 'int', -40)],
    ],
    ['console_task', [78, 79, 80, 81], 96, [local('line', 'char [24]', -60), local('commands', 'unsigned int', -64)]],
    ['idle_task', [85, 86, 87], 48],
    // The function with which FreeRTOS begins each task.
    ['vPortTaskWrapper', [91, 92], 48],
  ]),
} as const;

/** Returns the start of each line's code, in bytes from the start of all code. */
export function lineAddresses({ offset, lines }: SourceFunction): { readonly offset: number; readonly line: number }[] {
  return lines.map((line, index) => ({ offset: offset + index * bytesOfLine, line }));
}
