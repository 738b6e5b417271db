/**
 * Parts of a demangled name and their text. In C++ a declaration is partly left and partly right of the declared name
 * (`void (*` … `)(int)`), so each part writes two texts. A pack of template arguments is written once for each
 * argument, tracked by `Pen`.
 */
import { NotUnderstood } from './not-understood.ts';

/** State while writing: index of the current argument of a pack. */
export interface Pen {
  index: number;
  /** Number of arguments in the pack being expanded; undefined until a pack is met. */
  count: number | undefined;
  /** Remaining parts, shared by all pens of a name. Short mangled names can expand exponentially. */
  readonly ink: { left: number };
}

interface Reference {
  readonly to: Part;
  readonly isRvalue: boolean;
}

type Shape = 'array' | 'function' | 'plain';

export interface Part {
  left(pen: Pen): string;
  right(pen: Pen): string;
  /** Decides if a pointer to the part needs parentheses. */
  shape(pen: Pen): Shape;
  /** Last component of a name, without template arguments: the name of a constructor. */
  readonly base: string;
  /** Target of a reference. References to references collapse. */
  reference?(pen: Pen): Reference | undefined;
  /** Elements of a pack of template arguments. */
  readonly pack?: readonly Part[];
  /** Full name of an abbreviation of the standard library. */
  readonly full?: string;
}

const plain = (): Shape => 'plain';
const nothing = () => '';

/**
 * Writes a part.
 *
 * @throws NotUnderstood if the ink is used up.
 */
export function write(part: Part, pen: Pen): string {
  if (--pen.ink.left < 0) {
    throw new NotUnderstood();
  }
  return part.left(pen) + part.right(pen);
}

export function text(value: string, base = value, full?: string): Part {
  return { left: () => value, right: nothing, shape: plain, base, ...(full !== undefined && { full }) };
}

/** Makes a part of other parts; `left` writes it. */
export function composed(left: (pen: Pen) => string, base: string): Part {
  return { left, right: nothing, shape: plain, base };
}

/** Writes a comma-separated list. Empty packs leave nothing, also no comma. */
function list(parts: readonly Part[], pen: Pen): string {
  return parts
    .map((part) => write(part, pen))
    .filter((written) => written !== '')
    .join(', ');
}

export function templated(name: Part, args: readonly Part[]): Part {
  const left = (pen: Pen) => {
    const start = write(name, pen);
    const inside = list(args, pen);
    return `${start}<${inside}${inside.endsWith('>') ? ' ' : ''}>`;
  };
  return composed(left, name.base);
}

export function scoped(scope: Part, name: Part): Part {
  return composed((pen) => `${write(scope, pen)}::${write(name, pen)}`, name.base);
}

export function qualified(part: Part, qualifiers: string): Part {
  return qualifiers === ''
    ? part
    : { left: (pen) => part.left(pen) + qualifiers, right: part.right, shape: part.shape, base: '' };
}

export function pointer(to: Part): Part {
  return declarator(() => ({ to, mark: '*' }));
}

export function reference(to: Part, isRvalue: boolean): Part {
  const collapsed = (pen: Pen): Reference => {
    const inner = to.reference?.(pen);
    return inner === undefined ? { to, isRvalue } : { to: inner.to, isRvalue: isRvalue && inner.isRvalue };
  };
  const part = declarator((pen) => {
    const { to: target, isRvalue: isStillRvalue } = collapsed(pen);
    return { to: target, mark: isStillRvalue ? '&&' : '&' };
  });
  return { ...part, reference: collapsed };
}

function declarator(resolve: (pen: Pen) => { to: Part; mark: string }): Part {
  return {
    left(pen) {
      const { to, mark } = resolve(pen);
      const shape = to.shape(pen);
      const opening = shape === 'plain' ? '' : shape === 'array' ? ' (' : '(';
      return to.left(pen) + opening + mark;
    },
    right(pen) {
      const { to } = resolve(pen);
      return (to.shape(pen) === 'plain' ? '' : ')') + to.right(pen);
    },
    shape: plain,
    base: '',
  };
}

export function memberPointer(owner: Part, member: Part): Part {
  return {
    left: (pen) => `${member.left(pen)}${member.shape(pen) === 'plain' ? ' ' : '('}${write(owner, pen)}::*`,
    right: (pen) => (member.shape(pen) === 'plain' ? '' : ')') + member.right(pen),
    shape: plain,
    base: '',
  };
}

export function array(of: Part, length: string): Part {
  return {
    left: of.left,
    right(pen) {
      const inner = of.right(pen);
      return ` [${length}]${inner.startsWith(' [') ? inner.slice(1) : inner}`;
    },
    shape: () => 'array',
    base: '',
  };
}

export function functionType(result: Part, parameters: readonly Part[], qualifiers: string): Part {
  return {
    left: (pen) => `${result.left(pen)} `,
    right: (pen) => `(${list(parameters, pen)})${result.right(pen)}${qualifiers}`,
    shape: () => 'function',
    base: '',
  };
}

/**
 * Makes a function with its parameters.
 *
 * @param result Undefined if the mangled name does not contain it.
 */
export function functionEncoding(
  name: Part,
  result: Part | undefined,
  parameters: readonly Part[],
  qualifiers: string,
): Part {
  return {
    left(pen) {
      const space = result !== undefined && result.right(pen) === '' && result.shape(pen) === 'plain' ? ' ' : '';
      return (result?.left(pen) ?? '') + space + write(name, pen);
    },
    right: (pen) => `(${list(parameters, pen)})${result?.right(pen) ?? ''}${qualifiers}`,
    shape: plain,
    base: name.base,
  };
}

/**
 * Makes the pack of arguments of one template parameter. Inside of an expansion it is written one argument at a time.
 */
export function pack(elements: readonly Part[]): Part {
  const current = (pen: Pen): Part | undefined => {
    if (pen.count === undefined) {
      pen.count = elements.length;
      pen.index = 0;
    }
    return elements[pen.index];
  };
  return {
    left: (pen) => current(pen)?.left(pen) ?? '',
    right: (pen) => current(pen)?.right(pen) ?? '',
    shape: (pen) => current(pen)?.shape(pen) ?? 'plain',
    reference: (pen) => current(pen)?.reference?.(pen),
    base: '',
    pack: elements,
  };
}

/** Makes a list of arguments, encoded between `J` and `E`. */
export function argumentPack(elements: readonly Part[]): Part {
  return { ...composed((pen) => list(elements, pen), ''), pack: elements };
}

/** Makes a pattern that is written once for each argument of the pack inside it. */
export function expansion(pattern: Part): Part {
  return composed(({ ink }) => {
    const pen: Pen = { index: 0, count: undefined, ink };
    const first = write(pattern, pen);
    if (pen.count === undefined) {
      return `${first}...`;
    }
    const rest = Array.from({ length: Math.max(0, pen.count - 1) }, (_, index) => {
      pen.index = index + 1;
      return write(pattern, pen);
    });
    return pen.count === 0 ? '' : [first, ...rest].join(', ');
  }, '');
}
