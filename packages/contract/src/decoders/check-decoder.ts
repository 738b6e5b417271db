/** Checks that a text is a decoder, and returns one sentence for each fault. It never throws. */
import { type ContentCheck, type ContentLimits, checkContent } from '../strict-content.ts';
import { DecoderContent, type DecoderFieldOrGroup, type DecoderMessage, type DecoderSize } from './decoder-content.ts';
import { checksumSizes, decoderLimits, numberSizes, stepFramings } from './decoder-rules.ts';

const limits: ContentLimits = {
  subject: 'decoder',
  longestList: decoderLimits.registers,
  // The smallest takes 22 characters of 64 KiB.
  parts: 3_000,
  faults: decoderLimits.faults,
  entryNames: new Map([
    ['fields', 'field'],
    ['messages', 'message'],
    ['when', 'condition'],
    ['registers', 'register'],
    ['steps', 'step'],
    ['files', 'file'],
    ['start', 'start'],
    ['end', 'end'],
    ['answers', 'answer'],
  ]),
};

/** Checks the text of a JKit's content. */
export function checkDecoder(text: string): ContentCheck<DecoderContent> {
  return checkContent(text, DecoderContent, faultsOf, limits);
}

/** Fields of the frame itself, in conditions. */
const frameFields = ['frame.length', 'frame.direction'];

function* faultsOf(decoder: DecoderContent): Generator<string> {
  const { framing, steps, checksum, messages, fields } = decoder;
  if (framing.kind === 'step' && steps.length === 0) {
    yield 'The framing needs a step that measures frames';
  }
  for (const step of steps) {
    const needed = stepFramings[step];
    if (needed !== undefined && needed !== framing.kind) {
      yield `The step ${step} needs the framing ${needed}`;
    }
  }
  if (framing.kind === 'length' && typeof framing.length === 'number' && framing.length > framing.longest) {
    yield 'The length of a frame cannot be above its longest';
  }
  if (checksum !== undefined) {
    if (framing.kind === 'step') {
      yield 'The framing step takes no checksum: its step decides which frames are right';
    }
    const isOwn = checksum.kind === 'crc';
    if (isOwn !== (checksum.width !== undefined) || isOwn !== (checksum.polynomial !== undefined)) {
      yield 'The checksum crc, and no other, needs a width and a polynomial';
    }
    if (checksum.form === 'hex' && checksumSizes[checksum.kind] === 0) {
      yield 'A checksum in hex digits must be one with a name';
    }
  }
  const known = new Set(frameFields);
  yield* fieldFaults(fields, 'Field', known);
  const names = new Set(messages.map(({ name }) => name));
  if (names.size < messages.length) {
    yield 'Two messages have the same name';
  }
  for (const message of messages) {
    yield* messageFaults(message, known, names);
  }
  const all = new Set([...known, ...messages.flatMap((message) => namesOf(message.fields))]);
  for (const name of [...(decoder.pairing?.same ?? []), ...(decoder.sequence?.per ?? [])]) {
    yield* referenceFault('A name of a field', name, all);
  }
  if (decoder.sequence !== undefined) {
    yield* referenceFault('The sequence', decoder.sequence.field, all);
  }
}

function namesOf(fields: readonly DecoderFieldOrGroup[]): string[] {
  return fields.flatMap(({ name, fields: inner }) => [name, ...(inner ?? []).map((one) => `${name}.${one.name}`)]);
}

function* messageFaults(
  { name, when, fields, answers }: DecoderMessage,
  known: ReadonlySet<string>,
  messages: ReadonlySet<string>,
): Generator<string> {
  for (const condition of when) {
    yield* referenceFault(`A condition of message ${name}`, condition.field, known);
    if (condition.is === undefined && condition.from === undefined && condition.to === undefined) {
      yield `A condition of message ${name} needs is, from or to`;
    }
  }
  yield* fieldFaults(fields, `Message ${name}, field`, new Set(known));
  for (const answer of answers) {
    if (!messages.has(answer)) {
      yield `Message ${name} answers ${answer}, which is no message of this decoder`;
    }
  }
}

/** @param known Names of the fields before; those of `fields` are added. */
function* fieldFaults(fields: readonly DecoderFieldOrGroup[], place: string, known: Set<string>): Generator<string> {
  for (const field of fields) {
    const at = `${place} ${field.name}`;
    if (known.has(field.name)) {
      yield `The name ${field.name} is taken`;
    }
    if (field.fields === undefined) {
      yield* typeFaults(field, at);
    } else {
      if (field.type !== undefined || field.count === undefined) {
        yield `${at} is a group: it needs a count and has no type`;
      }
      const inner = new Set(known);
      yield* fieldFaults(field.fields, at, inner);
    }
    for (const size of [field.count, field.length]) {
      yield* sizeFaults(at, size, known);
    }
    known.add(field.name);
    for (const inner of field.fields ?? []) {
      known.add(`${field.name}.${inner.name}`);
    }
  }
}

function* typeFaults(field: DecoderFieldOrGroup, at: string): Generator<string> {
  const { type, length, bit, bits, part } = field;
  if (type === undefined) {
    yield `${at} needs a type`;
    return;
  }
  if (type === 'text' || type === 'bytes' || type === 'bcd') {
    if (length === undefined && part === undefined) {
      yield `${at} needs a length`;
    }
    if (bit !== undefined || bits !== undefined) {
      yield `${at} cannot have bits: it is no number`;
    }
    return;
  }
  if (length !== undefined) {
    yield `${at} cannot have a length: its type has one`;
  }
  if (bit !== undefined || bits !== undefined) {
    if (type === 'f32' || type === 'f64' || (bit ?? 0) + (bits ?? 1) > numberSizes[type] * 8) {
      yield `${at} has bits outside of its number`;
    }
  }
}

function* sizeFaults(at: string, size: DecoderSize | undefined, known: ReadonlySet<string>): Generator<string> {
  if (typeof size === 'object') {
    yield* referenceFault(at, size.field, known);
  } else if (typeof size === 'string' && size !== 'rest') {
    yield* referenceFault(at, size, known);
  }
}

function* referenceFault(place: string, name: string, known: ReadonlySet<string>): Generator<string> {
  if (!known.has(name)) {
    yield `${place} needs a field before it: ${name}`;
  }
}
