import { libraryDecoders } from '@wirebench/contract/decoder-library';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { chunksOf, type GoldenCase, goldenCases, readChunks, recut, type SeenPiece } from '../testing/golden-cases.ts';

const cases = goldenCases('at');

const roleOf = ({ decoded }: SeenPiece) => decoded.fields.find(({ name }) => name === 'role')?.value;
const textOf = ({ decoded }: SeenPiece) => String(decoded.fields[0]?.value);

/** Commands with what belongs to them, and all lines that belong to none, as the golden file has them. */
function conversationOf(golden: GoldenCase, chunks = chunksOf(golden)): Record<string, unknown>[] {
  const { pieces, unanswered } = readChunks([libraryDecoders.at], chunks);
  const late = [...pieces.flatMap((piece) => piece.unanswered), ...unanswered].map(({ index }) => index);
  const commands: Record<string, unknown>[] = [];
  const notices: Record<string, unknown>[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind !== 'frame') {
      notices.push({ what: piece.kind, text: Buffer.from(piece.bytes).toString('latin1') });
    } else if (piece.link.role === 'question') {
      const mine = pieces.filter(({ link }) => link.to === index);
      const having = (role: string) => mine.filter((one) => roleOf(one) === role);
      const [final] = having('final');
      const isEchoed = having('echo').some((one) => textOf(one) === textOf(piece));
      commands.push({
        t: piece.at * 1_000,
        dir: piece.direction === 'sent' ? 'tx' : 'rx',
        what: 'command',
        text: textOf(piece),
        ...(isEchoed && { echoed: true }),
        ...(having('prompt').length > 0 && { prompt: true }),
        ...(having('text').length > 0 && { sent: having('text').map(textOf).join('\n') }),
        lines: having('line').map(textOf),
        final: final === undefined ? null : textOf(final),
        ...(final !== undefined && { ok: final.decoded.kind === 'right' }),
        ...(late.includes(index) && { timeout: true }),
      });
    } else if (piece.link.role === 'notice') {
      notices.push({ what: 'unsolicited', text: textOf(piece) });
    }
  }
  return [...commands, ...notices];
}

const withoutTimes = (frames: readonly Readonly<Record<string, unknown>>[]) =>
  frames.map(({ t, ...frame }) => (frame['what'] === 'command' ? { t, ...frame } : frame));

describe('golden AT commands', () => {
  it.each(cases.map((golden) => [golden.case, golden.kind, golden] as const))('%s: %s', (_case, _kind, golden) => {
    expect(conversationOf(golden)).toEqual(withoutTimes(golden.frames));
  });

  it.each(Array.from({ length: isLong ? 20 : 2 }))('are the same however the stream is cut', () => {
    for (const golden of cases) {
      expect(conversationOf(golden, recut(chunksOf(golden)))).toEqual(conversationOf(golden));
    }
  });
});
