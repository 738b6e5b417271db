/**
 * Draws transfers on an I2C bus, from start to stop (UM10204, section 3.1). Lengths are in bits: a byte has eight and
 * the acknowledge one. A start, a repeated start and a stop are drawn two bits wide.
 */

export type I2cPart =
  | { readonly kind: 'start' | 'restart' | 'stop' }
  /** `acknowledged`: the ninth bit is low. */
  | { readonly kind: 'byte'; readonly value: number; readonly acknowledged: boolean };

/** Level of a line from `at` on, in bits from the start of the drawing. */
export interface Edge {
  readonly at: number;
  readonly high: boolean;
}

export interface I2cTrace {
  readonly scl: readonly Edge[];
  readonly sda: readonly Edge[];
  /** Total length in bits. */
  readonly width: number;
}

/** Width of a start, a repeated start or a stop. */
const CONDITION = 2;

export const i2cWidth = (part: I2cPart): number => (part.kind === 'byte' ? 9 : CONDITION);

export function i2cTrace(parts: readonly I2cPart[]): I2cTrace {
  const scl: Edge[] = [{ at: 0, high: true }];
  const sda: Edge[] = [{ at: 0, high: true }];
  let at = 0;
  const go = (line: Edge[], after: number, high: boolean) => {
    if (line.at(-1)?.high !== high) {
      line.push({ at: at + after, high });
    }
  };
  for (const part of parts) {
    switch (part.kind) {
      case 'start':
      case 'restart':
        go(sda, 0.2, true);
        go(scl, 0.6, true);
        go(sda, 1.1, false);
        go(scl, 1.6, false);
        break;
      case 'stop':
        go(sda, 0.2, false);
        go(scl, 0.6, true);
        go(sda, 1.1, true);
        break;
      case 'byte':
        for (const high of [...bitsOf(part.value), !part.acknowledged]) {
          go(sda, 0.05, high);
          go(scl, 0.3, true);
          go(scl, 0.8, false);
          at += 1;
        }
        break;
    }
    at += part.kind === 'byte' ? 0 : CONDITION;
  }
  return { scl, sda, width: at };
}

/** Returns the bits of a byte, most significant bit first. */
const bitsOf = (byte: number): boolean[] => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => ((byte >> bit) & 1) === 1);

/**
 * Returns the SVG path of a line.
 * @param size `bit` is the width of a bit. `high` and `low` are the y coordinates of the levels, downwards as in SVG.
 */
export function edgePath(
  edges: readonly Edge[],
  width: number,
  size: { readonly bit: number; readonly high: number; readonly low: number },
): string {
  const [first, ...rest] = edges;
  const level = (high: boolean) => (high ? size.high : size.low);
  const x = (at: number) => Number((at * size.bit).toFixed(2));
  const steps = rest.map(({ at, high }) => `H${x(at)}V${level(high)}`);
  return `M0 ${level(first?.high ?? true)}${steps.join('')}H${x(width)}`;
}
