/**
 * Text and choices in the forms of instruments. They outlive the forms, which other instruments replace, and last as
 * long as the page.
 */
import { pageStore } from '../../../shared/page-store.ts';

const draftStore = pageStore<Readonly<Record<string, string>>>({});

/**
 * @param place Key of the form, the field and their subject.
 * @param first Value until the user types.
 */
export function useDraft(place: string, first: string): readonly [string, (text: string) => void] {
  const text = draftStore.use((drafts) => drafts[place]);
  return [text ?? first, (typed) => draftStore.setState({ [place]: typed })];
}

/**
 * @param place Key as in `useDraft`.
 * @param first Value until the user chooses another.
 */
export function useChoice<Value extends string | number>(
  place: string,
  values: readonly Value[],
  first: Value,
): readonly [Value, (value: Value) => void] {
  const [text, setText] = useDraft(place, String(first));
  return [values.find((value) => String(value) === text) ?? first, (value) => setText(String(value))];
}
