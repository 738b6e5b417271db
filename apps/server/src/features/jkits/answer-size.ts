/**
 * Limits answers that list other users' jkits to `jkitLimits.answerSize`: each content may have 64 KiB, and a list
 * has a hundred jkits.
 */
import { type Jkit, jkitLimits, type ListedJkit } from '@wirebench/contract';

/** Bytes around the list: brackets, pagination. */
const ENVELOPE = 1_024;
/** Bytes around each jkit: separators, the time of its star, the key of its content. */
const AROUND_EACH = 128;
/** Largest JSON form of a UTF-16 code unit, in bytes: `\u0000`. */
const BYTES_PER_UNIT = 6;

/** Returns the same jkits in their order. Each keeps its content while there is room for it. */
export function withinAnswerSize(jkits: readonly Jkit[]): readonly ListedJkit[] {
  if (isClearlyShort(jkits)) {
    return jkits;
  }
  const facts = jkits.map(({ content: _content, ...rest }) => rest);
  let left = jkitLimits.answerSize - ENVELOPE - facts.length * AROUND_EACH - bytesOf(facts);
  return jkits.map((jkit, index) => {
    // Most contents that do not fit are recognized without encoding them as JSON.
    const size = Buffer.byteLength(jkit.content) > left ? Number.POSITIVE_INFINITY : bytesOf(jkit.content);
    if (size > left) {
      return facts[index] ?? jkit;
    }
    left -= size;
    return jkit;
  });
}

/** Returns true if the answer certainly fits. This avoids encoding every answer twice, because few are long. */
function isClearlyShort(jkits: readonly Jkit[]): boolean {
  const units = jkits.reduce(
    (sum, { name, publisher, description, tags, version, content }) =>
      sum + [name, publisher, description, ...tags, version, content].join().length,
    0,
  );
  return ENVELOPE + jkits.length * 4 * AROUND_EACH + units * BYTES_PER_UNIT <= jkitLimits.answerSize;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
