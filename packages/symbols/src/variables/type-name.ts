/** Formats types in C and C++ syntax without a variable name: `const char *`, `int [4]`, `void (*)(int)`. */
import { unlessDamaged } from '../dwarf/damage.ts';
import type { TypeReader, TypeReference } from '../dwarf/types.ts';

/** Maximum nesting of a type; deeper types are damaged or unreadable. */
const MAX_DEPTH = 16;

export function typeName(types: TypeReader, reference: TypeReference): string {
  return unlessDamaged(() => declared(types, reference, '', 0), '?');
}

/**
 * Returns a declaration.
 * @param inner text in the position of the variable's name
 */
function declared(types: TypeReader, reference: TypeReference, inner: string, depth: number): string {
  const named = (name: string) => (inner === '' ? name : `${name} ${inner}`);
  if (reference === null) {
    return named('void');
  }
  if (depth > MAX_DEPTH) {
    return named('…');
  }
  const type = types.read(reference);
  const around = (target: TypeReference, text: string) => declared(types, target, text, depth + 1);
  switch (type.kind) {
    case 'pointer': {
      const kind = type.target === null ? undefined : types.read(type.target).kind;
      const marked = type.mark + inner;
      return around(type.target, kind === 'array' || kind === 'function' ? `(${marked})` : marked);
    }
    case 'qualified': {
      const isPointer = type.target !== null && types.read(type.target).kind === 'pointer';
      return isPointer
        ? around(type.target, inner === '' ? ` ${type.word}` : ` ${type.word} ${inner}`)
        : `${type.word} ${around(type.target, inner)}`;
    }
    case 'array': {
      const counts = type.counts.map((count) => `[${typeof count === 'number' ? count : ''}]`).join('');
      return around(type.element, inner + counts);
    }
    case 'function': {
      const parameters = type.parameters.map((parameter) => around(parameter, ''));
      return around(type.result, `${inner}(${parameters.length === 0 ? 'void' : parameters.join(', ')})`);
    }
    default:
      return named(type.name);
  }
}
