/** The source that the demo application would have been built from: its functions, and the lines that their code is from. */

export interface SourceFunction {
  readonly name: string;
  /** Bytes from the start of the code. */
  readonly offset: number;
  readonly size: number;
  /** The first one declares it. */
  readonly lines: readonly number[];
}

/** Bytes of code that each line has. */
const bytesOfLine = 12;

function sourceFunctions(functions: readonly (readonly [name: string, ...lines: number[]])[]): SourceFunction[] {
  let offset = 0;
  return functions.map(([name, ...lines]) => {
    const one = { name, offset, size: lines.length * bytesOfLine, lines };
    offset += one.size;
    return one;
  });
}

export const demoSource = {
  directory: '/project/main',
  file: 'wirebench_demo.c',
  functions: sourceFunctions([
    ['say_hello', 14, 15, 16, 17],
    ['read_sensor', 21, 22, 24, 25, 26],
    ['sensor_task', 30, 31, 32, 33, 35],
    ['app_main', 39, 40, 41, 42, 43],
  ]),
} as const;

/** Where the code of each line of a function begins, in bytes from the start of all code. */
export function lineAddresses({ offset, lines }: SourceFunction): { readonly offset: number; readonly line: number }[] {
  return lines.map((line, index) => ({ offset: offset + index * bytesOfLine, line }));
}
