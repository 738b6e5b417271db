/** The body of an answer as it arrives, for whoever shows how far it is. */

/** @param onProgress is told the bytes that have arrived after each piece. Rejects as the body does: with the reason of an abort too. */
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
