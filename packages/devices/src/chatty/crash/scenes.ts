/**
 * The crashes of the demo board. A scene has the functions, lines and variables of each task of the demo application,
 * and the text of the panic handler. Texts: ESP-IDF Programming Guide, "Fatal Errors" and "Watchdogs".
 */
export const crashKinds = ['null', 'assert', 'watchdog', 'stack', 'task'] as const;
export type CrashKind = (typeof crashKinds)[number];

/** Reference to a variable of another frame. The value is that variable's address. */
interface AddressOf {
  readonly function: string;
  readonly variable: string;
}

export interface SceneFrame {
  readonly function: string;
  readonly line: number;
  /** Values by names of variables. A structure is a list of its members, in order. */
  readonly values: Readonly<Record<string, number | string | AddressOf | readonly (number | string)[]>>;
}

export interface SceneTask {
  readonly name: string;
  readonly priority: number;
  readonly core: 0 | 1;
  /** Size of the stack in bytes. */
  readonly stack: number;
  /** Innermost frame first. */
  readonly frames: readonly SceneFrame[];
}

export interface Scene {
  /** Xtensa's EXCCAUSE and EXCVADDR; null if the program aborted itself. */
  readonly exception: { readonly cause: number; readonly address: number; readonly name: string } | null;
  /** The abort message; null after an exception. */
  readonly said: string | null;
  /** Lines of the log before the panic, as `tag: text`. */
  readonly log: readonly string[];
  /** The crashed task first. */
  readonly tasks: readonly SceneTask[];
}

const LOAD_PROHIBITED = 28;

/** The first function of every task. */
const outermost: SceneFrame = { function: 'vPortTaskWrapper', line: 91, values: {} };

const consoleFrames = (kind: CrashKind): SceneFrame[] => [
  { function: 'run_command', line: 72, values: { line: { function: 'console_task', variable: 'line' }, result: -1 } },
  { function: 'console_task', line: 80, values: { line: `crash ${kind}`, commands: 3 } },
  outermost,
];
const consoleTask = (kind: CrashKind, ...inner: readonly SceneFrame[]): SceneTask => ({
  name: 'console',
  priority: 2,
  core: 0,
  stack: 2_048,
  frames: [...inner, ...consoleFrames(kind)],
});
const sensorTask: SceneTask = {
  name: 'sensors',
  priority: 5,
  core: 1,
  stack: 3_072,
  frames: [{ function: 'sensor_task', line: 35, values: { bme280: [118, 2_341, 'bme280'], rounds: 41 } }, outermost],
};
const idleTask: SceneTask = {
  name: 'IDLE0',
  priority: 0,
  core: 0,
  stack: 1_024,
  frames: [{ function: 'idle_task', line: 86, values: {} }, outermost],
};
const others = [sensorTask, idleTask];

const nullSensor = (channel: number): SceneFrame => ({
  function: 'read_sensor',
  line: 24,
  values: { sensor: 0, channel, sum: 0 },
});
const loadProhibited = { cause: LOAD_PROHIBITED, address: 4, name: 'LoadProhibited' };

/** Number of nested menus when the stack is full. */
const menus = 22;

export const scenes: Readonly<Record<CrashKind, Scene>> = {
  null: { exception: loadProhibited, said: null, log: [], tasks: [consoleTask('null', nullSensor(3)), ...others] },
  assert: {
    exception: null,
    said: 'assert failed: check_limit wirebench_demo.c:49 (value <= limit)',
    log: [],
    tasks: [
      consoleTask('assert', { function: 'check_limit', line: 49, values: { value: 4_200, limit: 4_095 } }),
      ...others,
    ],
  },
  watchdog: {
    exception: null,
    said: 'Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:\n - IDLE0 (CPU 0)',
    log: [
      'task_wdt: Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:',
      'task_wdt:  - IDLE0 (CPU 0)',
      'task_wdt: Tasks currently running:',
      'task_wdt: CPU 0: console',
      'task_wdt: CPU 1: sensors',
      'task_wdt: Aborting.',
    ],
    tasks: [
      consoleTask('watchdog', {
        function: 'wait_for_bus',
        line: 56,
        values: { timeout: 0xffff_ffff, polls: 71_203_911 },
      }),
      ...others,
    ],
  },
  stack: {
    exception: null,
    said: '***ERROR*** A stack overflow in task console has been detected.',
    log: [],
    tasks: [
      consoleTask(
        'stack',
        ...Array.from({ length: menus }, (_, index): SceneFrame => {
          const depth = menus - index;
          return { function: 'open_menu', line: 64, values: { depth, title: `menu ${depth}` } };
        }),
      ),
      ...others,
    ],
  },
  task: {
    exception: loadProhibited,
    said: null,
    log: [],
    tasks: [
      {
        ...sensorTask,
        frames: [nullSensor(0), ...sensorTask.frames.map((one) => (one === outermost ? one : { ...one, line: 32 }))],
      },
      consoleTask('task'),
      idleTask,
    ],
  },
};
