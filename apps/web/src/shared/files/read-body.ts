/** Reads the body of an answer piece by piece, for a progress display. */

/**
 * @param onProgress Receives the number of bytes that have arrived, after each piece.
 * @returns The whole body. Rejects like the body, also with the reason of an abort.
 */
export async function readBody(answer: Response, onProgress: (received: number) => void): Promise<Blob> {
  const type = answer.headers.get('content-type') ?? '';
  const reader = answer.body?.getReader();
  if (reader === undefined) {
    return answer.blob();
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return new Blob(pieces, { type });
    }
    pieces.push(value);
    received += value.length;
    onProgress(received);
  }
}
