/** Lines of text. A line without a newline, such as a prompt, ends after a gap. */
import { defineFraming } from './framing-definition.ts';
import { gapField, usualGap } from './gap.ts';
import { NewlineSplitter } from './newline.ts';

export const newlineOrGapFraming = defineFraming<{ readonly gap: number }>({
  title: 'At a newline or a gap',
  use: 'Text with prompts that have no newline.',
  defaults: { gap: usualGap },
  fields: { gap: gapField },
  splitter: ({ gap }) => new NewlineSplitter(gap),
});
