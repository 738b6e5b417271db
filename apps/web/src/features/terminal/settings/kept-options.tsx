import { type DecoderId, isOwnDecoder } from '../../../workbench/decoders/decoder-id.ts';
import { titleOf, useKeptDecoders } from '../../../workbench/decoders/kept-decoders.ts';

/**
 * Options for the decoders that this browser keeps. Loaded with the first list of decoders.
 *
 * @param chosen One that is no longer kept stays in the list, so that the field shows what the port has.
 */
export function KeptOptions({ chosen }: { readonly chosen: DecoderId | null }) {
  const kept = useKeptDecoders().map(({ id, text }) => ({ id, title: titleOf(text) }));
  const isGone = isOwnDecoder(chosen) && !kept.some(({ id }) => id === chosen);
  // With the same key, so that a list of the browser keeps its choice.
  const shown = isGone ? [...kept, { id: chosen, title: 'Removed' }] : kept;
  return shown.length === 0 ? null : (
    <optgroup label="In this browser">
      {shown.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </optgroup>
  );
}
