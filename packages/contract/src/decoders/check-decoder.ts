/** Checks that a text is a decoder, and returns one sentence for each fault. It never throws. */
import { type ContentCheck, type ContentLimits, checkContent } from '../strict-content.ts';
import {
  type DecoderChecksum,
  type DecoderCondition,
  DecoderContent,
  type DecoderFieldOrGroup,
  type DecoderFraming,
  type DecoderMessage,
  type DecoderShape,
  type DecoderSize,
} from './decoder-content.ts';
import {
  checksumSizes,
  decoderLimits,
  type FieldType,
  numberSizes,
  type SizedType,
  sizedTypes,
  stepFramings,
  sumKinds,
} from './decoder-rules.ts';

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
    ['of', 'shape'],
    ['checksums', 'checksum'],
    ['transform', 'transform'],
    ['plus', 'number'],
    ['until', 'condition'],
    ['key', 'key'],
  ]),
};

/** Checks the text of a JKit's content. */
export function checkDecoder(text: string): ContentCheck<DecoderContent> {
  return checkContent(text, DecoderContent, faultsOf, limits);
}

/** Fields of the frame itself, in conditions. */
const frameFields = ['frame.length', 'frame.direction', 'frame.parts'];

function* faultsOf(decoder: DecoderContent): Generator<string> {
  const { framing, steps, messages, fields, transform } = decoder;
  if (framing.kind === 'step' && steps.length === 0) {
    yield 'The framing needs a step that measures frames';
  }
  for (const step of steps) {
    const needed = stepFramings[step];
    if (needed !== undefined && needed !== framing.kind) {
      yield `The step ${step} needs the framing ${needed}`;
    }
  }
  yield* framingFaults(framing);
  yield* checksumFaults(decoder, framing.kind, '');
  for (const one of transform ?? []) {
    const changes = [one.add, one.xor, one.remove].filter((change) => change !== undefined);
    if (changes.length !== 1) {
      yield 'A transform needs one of add, xor and remove';
    }
    if ((one.remove === undefined) !== (one.after === undefined)) {
      yield 'A transform that removes a byte, and no other, needs the bytes after which it stands';
    }
  }
  yield* nameFaults(decoder, scopeOf(decoder, fields));
  const names = new Set(messages.map(({ name }) => name));
  if (names.size < messages.length) {
    yield 'Two messages have the same name';
  }
}

/** Returns faults of the parts that refer to fields by name. */
function* nameFaults(decoder: DecoderContent, scope: Scope): Generator<string> {
  const { fields, messages } = decoder;
  yield* fieldFaults(fields, 'Field', scope);
  const names = new Set(messages.map(({ name }) => name));
  for (const message of messages) {
    yield* messageFaults(message, scope, names);
  }
  const all = new Set([...scope.known.keys(), ...messages.flatMap((message) => namesOf(message.fields))]);
  const shared = messages.flatMap(({ same = [] }) => same);
  for (const name of [...(decoder.pairing?.same ?? []), ...(decoder.sequence?.per ?? []), ...shared]) {
    yield* referenceFault('A name of a field', name, all);
  }
  if (decoder.sequence !== undefined) {
    yield* referenceFault('The sequence', decoder.sequence.field, all);
  }
}

function* framingFaults(framing: DecoderFraming | DecoderShape): Generator<string> {
  switch (framing.kind) {
    case 'length':
      if (typeof framing.length === 'number' && framing.length > framing.longest) {
        yield 'The length of a frame cannot be above its longest';
      }
      return;
    case 'escaped': {
      const { xor, doubled, replace, end, length } = framing;
      if ([xor, doubled === true ? doubled : undefined, replace].filter((one) => one !== undefined).length !== 1) {
        yield 'The framing escaped needs one of xor, doubled and replace';
      }
      if ((end === undefined) === (length === undefined)) {
        yield 'The framing escaped needs end bytes or a length, not both';
      }
      if (length !== undefined && framing.start === undefined) {
        yield 'The framing escaped with a length needs start bytes';
      }
      if (framing.after !== undefined && end === undefined) {
        yield 'The framing escaped has bytes after its end only with end bytes';
      }
      return;
    }
    case 'any':
      for (const [index, shape] of framing.of.entries()) {
        for (const fault of [...framingFaults(shape), ...checksumFaults(shape, shape.kind, '')]) {
          yield `Shape ${index + 1}: ${fault}`;
        }
      }
      return;
    default:
      return;
  }
}

function* checksumFaults(
  { checksum, checksums }: Pick<DecoderContent, 'checksum' | 'checksums'>,
  framing: DecoderFraming['kind'],
  place: string,
): Generator<string> {
  if (checksum !== undefined && checksums !== undefined) {
    yield 'Give checksum or checksums, not both';
  }
  if (framing === 'step' && (checksum !== undefined || (checksums ?? []).length > 0)) {
    yield `${place}The framing step takes no checksum: its step decides which frames are right`;
  }
  for (const one of [...(checksum === undefined ? [] : [checksum]), ...(checksums ?? [])]) {
    yield* parameterFaults(one);
  }
}

function* parameterFaults(checksum: DecoderChecksum): Generator<string> {
  const { kind, width, polynomial, form } = checksum;
  const isOwn = kind === 'crc';
  if (isOwn !== (width !== undefined) || isOwn !== (polynomial !== undefined)) {
    yield 'The checksum crc, and no other, needs a width and a polynomial';
  }
  if (form === 'hex' && checksumSizes[kind] === 0) {
    yield 'A checksum in hex digits must be one with a name';
  }
  const isSum = sumKinds.some((one) => one === kind);
  const given = (['init', 'xorOut', 'reflectIn', 'reflectOut'] as const).filter((name) => checksum[name] !== undefined);
  const extra = given.filter((name) => !isOwn && !(isSum && (name === 'init' || name === 'xorOut')));
  if (extra.length > 0) {
    yield `The checksum ${kind} has no ${extra[0]}: its name says its parameters. Take crc for others`;
  }
  if (checksum.negate !== undefined && !isSum) {
    yield `The checksum ${kind} cannot be negated: that is for ${sumKinds.join(', ')}`;
  }
}

/** Names that parts of a decoder may refer to. */
interface Scope {
  /** Fields before, with their types; undefined: a group. */
  readonly known: Map<string, FieldType | undefined>;
  /** Names of all fields of a question; null: any, because a question may be one of another decoder. */
  readonly asked: ReadonlySet<string> | null;
  /** True: the content is a text with parts. */
  readonly isText: boolean;
}

function scopeOf(decoder: DecoderContent, fields: readonly DecoderFieldOrGroup[]): Scope {
  const { framing, messages } = decoder;
  const own = new Set(messages.map(({ name }) => name));
  const isForeign = messages.some(({ answers }) => answers.some((name) => !own.has(name)));
  const all = [...fields, ...messages.flatMap((message) => message.fields)];
  const shapes = framing.kind === 'any' ? framing.of : [framing];
  return {
    known: new Map(frameFields.map((name) => [name, undefined])),
    asked: isForeign ? null : new Set(namesOf(all)),
    isText: shapes.some((one) => one.kind === 'lines' || (one.kind === 'until' && one.separator !== undefined)),
  };
}

function namesOf(fields: readonly DecoderFieldOrGroup[]): string[] {
  return fields.flatMap(({ name, base, fields: inner = [] }) => [
    name,
    ...inner.map((one) => (base === undefined ? `${name}.${one.name}` : one.name)),
  ]);
}

function* messageFaults(
  { name, when, fields, answers }: DecoderMessage,
  scope: Scope,
  messages: ReadonlySet<string>,
): Generator<string> {
  yield* conditionFaults(when, `A condition of message ${name}`, scope);
  yield* fieldFaults(fields, `Message ${name}, field`, { ...scope, known: new Map(scope.known) });
  for (const answer of answers) {
    if (!messages.has(answer) && !otherMessage.test(answer)) {
      yield `Message ${name} answers ${answer}, which is no message of this decoder`;
    }
  }
}

/** Message of another decoder: `meter.read`. */
const otherMessage = /^[A-Za-z_]\w*\../;

function* conditionFaults(conditions: readonly DecoderCondition[], place: string, scope: Scope): Generator<string> {
  for (const condition of conditions) {
    yield* nameFault(place, condition.field, scope);
    if (condition.is === undefined && condition.from === undefined && condition.to === undefined) {
      yield `${place} needs is, from or to`;
    }
  }
}

/** @param scope The names of `fields` are added to it. */
function* fieldFaults(fields: readonly DecoderFieldOrGroup[], place: string, scope: Scope): Generator<string> {
  const { known } = scope;
  const conditional = new Set<string>();
  for (const field of fields) {
    const at = `${place} ${field.name}`;
    // Fields with conditions may share a name: one is there at a time.
    if (known.has(field.name) && !(field.when !== undefined && conditional.has(field.name))) {
      yield `The name ${field.name} is taken`;
    }
    yield* conditionFaults(field.when ?? [], `A condition of ${lower(at)}`, scope);
    if (field.fields === undefined) {
      yield* typeFaults(field, at);
      yield* placeFaults(field, at, scope);
    } else {
      yield* groupFaults(field, field.fields, at, scope);
    }
    for (const size of [field.count, field.length, field.base]) {
      yield* sizeFaults(at, size, scope);
    }
    if (typeof field.power === 'string' || typeof field.power === 'object') {
      yield* nameFault(at, typeof field.power === 'string' ? field.power : field.power.field, scope);
    }
    known.set(field.name, field.type);
    if (field.when !== undefined) {
      conditional.add(field.name);
    }
    for (const inner of field.fields ?? []) {
      known.set(field.base === undefined ? `${field.name}.${inner.name}` : inner.name, inner.type);
    }
    if (field.until !== undefined) {
      if (field.count === undefined) {
        yield `${at} has until, so it needs a count`;
      }
      const inner = new Map(known);
      for (const one of field.fields ?? []) {
        inner.set(one.name, one.type);
      }
      yield* conditionFaults(field.until, `The end of ${lower(at)}`, { ...scope, known: inner });
    }
  }
}

const lower = (place: string) => place.slice(0, 1).toLowerCase() + place.slice(1);

function* groupFaults(
  group: DecoderFieldOrGroup,
  fields: readonly DecoderFieldOrGroup[],
  at: string,
  scope: Scope,
): Generator<string> {
  const { type, count, base, step } = group;
  const inner = { ...scope, known: new Map(scope.known) };
  if (base === undefined) {
    if (type !== undefined || count === undefined) {
      yield `${at} is a group: it needs a count and has no type`;
    }
    if (step !== undefined) {
      yield `${at} has a step, so it needs a base`;
    }
  } else {
    if (type !== undefined || count !== undefined) {
      yield `${at} is a group with a base: it has no count and no type`;
    }
    for (const { name, at: address } of fields) {
      if (typeof address !== 'number' || address < 0) {
        yield `${at}, field ${name} needs its address: at`;
      }
    }
  }
  yield* fieldFaults(fields, at, inner);
}

function* typeFaults(field: DecoderFieldOrGroup, at: string): Generator<string> {
  const { type, length, bit, bits, part, key, base, step, separator, power } = field;
  if (type === undefined) {
    yield `${at} needs a type`;
    return;
  }
  if (base !== undefined || step !== undefined) {
    yield `${at} is no group, so it has no base and no step`;
  }
  if (separator !== undefined && type !== 'text') {
    yield `${at} has a separator, so it must be text`;
  }
  if (power !== undefined && noNumbers.some((one) => one === type)) {
    yield `${at} cannot have a power of ten: it is no number`;
  }
  if (isSized(type)) {
    if (length === undefined && part === undefined && key === undefined) {
      yield `${at} needs a length`;
    }
    if (bit !== undefined || bits !== undefined) {
      yield `${at} cannot have bits: it is no number`;
    }
    const most = longestNumbers[type];
    if (typeof length === 'number' && most !== undefined && (length < 1 || length > most)) {
      yield `${at} must have a length from 1 to ${most}`;
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

const noNumbers = ['text', 'bytes', 'hex', 'unit'] as const satisfies readonly SizedType[];

/** Most bytes of numbers whose length is given. */
const longestNumbers: Readonly<Partial<Record<SizedType, number>>> = { int: 8, uint: 8, bits7: 7 };

const isSized = (type: FieldType): type is SizedType => sizedTypes.some((one) => one === type);

/** Returns faults of the place in a text, or in another field. */
function* placeFaults(field: DecoderFieldOrGroup, at: string, { known, isText }: Scope): Generator<string> {
  const { part, key, at: offset, length, in: outer } = field;
  if (key !== undefined && (offset !== undefined || length !== undefined)) {
    yield `${at} has a key, so it has no offset and no length`;
  }
  if (key !== undefined && part !== undefined && part < 0) {
    yield `${at} has a key, so its part cannot be negative`;
  }
  if (outer !== undefined) {
    const type = known.get(outer);
    if (!known.has(outer)) {
      yield `${at} needs a field before it: ${outer}`;
    } else if (type !== 'text' && type !== 'bytes' && type !== 'hex') {
      yield `${at} can only be in a field of text, bytes or hex: ${outer} is none`;
    }
  } else if (key !== undefined && !isText) {
    yield `${at} has a key, so it needs a framing with a separator, or a text that it is in`;
  }
}

function* sizeFaults(at: string, size: DecoderSize | undefined, scope: Scope): Generator<string> {
  if (typeof size === 'object') {
    yield* nameFault(at, size.field, scope);
  } else if (typeof size === 'string' && size !== 'rest') {
    yield* nameFault(at, size, scope);
  }
}

const question = 'question.';

function* nameFault(place: string, name: string, { known, asked }: Scope): Generator<string> {
  if (name.startsWith(question) && !known.has(name)) {
    if (asked?.has(name.slice(question.length)) === false) {
      yield `${place} needs a field of a question: ${name.slice(question.length)}`;
    }
    return;
  }
  // An element of a list has the name of the list and its number.
  yield* referenceFault(place, known.has(name) ? name : name.replace(/\.\d+$/, ''), known);
}

function* referenceFault(
  place: string,
  name: string,
  known: { readonly has: (name: string) => boolean },
): Generator<string> {
  if (!known.has(name)) {
    yield `${place} needs a field before it: ${name}`;
  }
}
