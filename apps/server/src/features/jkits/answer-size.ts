/** Keeps answers that list others' jkits within `jkitLimits.answerSize`: their contents may be 64 KiB each, and a list has a hundred. */
import { type Jkit, jkitLimits, type ListedJkit } from '@wirebench/contract';

/** Bytes around the list: brackets, pagination. */
const ENVELOPE = 1_024;
/** Bytes around each jkit: its place in the list, when it was starred, the key of its content. */
const AROUND_EACH = 128;
/** JSON never writes a UTF-16 code unit in more bytes: `\u0000`. */
const BYTES_PER_UNIT = 6;

/** The same jkits; in their order each keeps its content while there is room for it. */
export function withinAnswerSize(jkits: readonly Jkit[]): readonly ListedJkit[] {
  if (isClearlyShort(jkits)) {
    return jkits;
  }
  const facts = jkits.map(({ content: _content, ...rest }) => rest);
  let left = jkitLimits.answerSize - ENVELOPE - facts.length * AROUND_EACH - bytesOf(facts);
  return jkits.map((jkit, index) => {
    // Most that do not fit are seen without writing them as JSON.
    const size = Buffer.byteLength(jkit.content) > left ? Number.POSITIVE_INFINITY : bytesOf(jkit.content);
    if (size > left) {
      return facts[index] ?? jkit;
    }
    left -= size;
    return jkit;
  });
}

/** Saves writing every answer twice: hardly any is long. */
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
