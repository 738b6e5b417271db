/** Form of a field, with the number in its byte orders beside it. */
import type { DecoderContent, DecoderFieldOrGroup } from '@wirebench/contract/decoders';
import { numbersInAllOrders, type OrderedNumber } from '@wirebench/frames/guess';
import type { TriedFrame } from '../../../../protocol/bench/trial-part.ts';
import {
  type ByteRange,
  type ByteType,
  typeNames,
  typeOf,
  typesFor,
  withChangedField,
  withoutField,
  withType,
} from './decoder-draft.ts';
import { type Meaning, MeaningForm, WordOrders } from './meaning-form.tsx';

type Change = (draft: DecoderContent, name: string | null) => void;

interface FieldMeaningProps {
  readonly draft: DecoderContent;
  readonly message: string;
  readonly field: DecoderFieldOrGroup;
  readonly frame: TriedFrame;
  readonly range: ByteRange;
  readonly onChange: Change;
}

/** A part of a line is text, or a number in digits. */
const partTypes = [
  { value: 'f64', label: 'Number' },
  { value: 'text', label: 'Text' },
] as const;

const fourOrders = ['abcd', 'cdab', 'badc', 'dcba'] as const;
const twoOrders = ['abcd', 'dcba'] as const;
const sizes = { u16: 2, i16: 2, u32: 4, i32: 4, u64: 8, i64: 8, f32: 4, f64: 8 } as const;
type OrderedType = keyof typeof sizes;

const orderedType = (type: string | undefined): OrderedType | null =>
  type !== undefined && Object.hasOwn(sizes, type) ? (type as OrderedType) : null;

/** Orders of two bytes have the usual names, those of words their letters. */
const orderName = (order: OrderedNumber['order'], size: number) =>
  size > 2 ? order : order === 'abcd' ? 'big-endian' : 'little-endian';

/** Returns the letters of an order. Those of two bytes are the same in twos. */
function lettersOf(order: string, size: number): OrderedNumber['order'] {
  const letters = order === 'big' ? 'abcd' : order === 'little' ? 'dcba' : (order as OrderedNumber['order']);
  return size > 2 ? letters : letters === 'cdab' ? 'abcd' : letters === 'badc' ? 'dcba' : letters;
}

/** Returns an order as a decoder has it. */
const entryOf = (order: OrderedNumber['order'], size: number) =>
  size > 2 ? order : order === 'abcd' ? ('big' as const) : ('little' as const);

export function FieldMeaning({ draft, message, field, frame, range, onChange }: FieldMeaningProps) {
  const size = range.to - range.from;
  const change = (next: DecoderFieldOrGroup) =>
    onChange(withChangedField(draft, message, field.name, cleaned(next)), next.name);
  const isPart = field.part !== undefined;
  const type = isPart ? null : orderedType(field.type);
  return (
    <MeaningForm
      title={titleOf(range)}
      meaning={field}
      taken={namesBeside(draft, field.name)}
      type={typeOf(field)}
      types={isPart ? partTypes : typesFor(size).map((one) => ({ value: one, label: typeNames[one] }))}
      onType={(chosen) =>
        change(
          isPart ? { ...field, type: chosen === 'text' ? 'text' : 'f64' } : withType(field, chosen as ByteType, size),
        )
      }
      onChange={(part) => change({ ...field, ...part })}
      onRemove={() => onChange(withoutField(draft, message, field.name), null)}
    >
      {type === null ? null : (
        <WordOrders
          readings={numbersInAllOrders(frame.content.subarray(range.from, range.to), 0, 0, type)}
          orders={size > 2 ? fourOrders : twoOrders}
          order={lettersOf(field.order ?? draft.order ?? 'big', size)}
          nameOf={(order) => orderName(order, size)}
          textOf={(value) => scaledText(value, field)}
          onPick={({ order }) => change({ ...field, order: entryOf(order, size) })}
        />
      )}
    </MeaningForm>
  );
}

/** Names of the other fields and registers. */
const namesBeside = ({ fields, messages, registers }: DecoderContent, own: string): ReadonlySet<string> =>
  new Set(
    [...fields, ...messages.flatMap((message) => message.fields), ...registers]
      .map(({ name }) => name)
      .filter((name) => name !== own),
  );

const titleOf = ({ from, to }: ByteRange) => (to - from === 1 ? `Byte ${from}` : `Bytes ${from} to ${to - 1}`);

/** Leaves entries without a value out. */
function cleaned<Entry extends object>(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined)) as Entry;
}

/** Value with scale, offset and unit, with as many digits as a button has room for. */
function scaledText(
  value: number | bigint,
  { scale = 1, offset = 0, unit = '' }: Pick<Meaning, 'scale' | 'offset' | 'unit'>,
): string {
  const isPlain = scale === 1 && offset === 0;
  const number = isPlain && typeof value === 'bigint' ? String(value) : numberText(Number(value) * scale + offset);
  return unit === '' ? number : `${number} ${unit}`;
}

const numberText = (value: number) =>
  Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(7)));
